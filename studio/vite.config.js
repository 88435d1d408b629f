import { defineConfig } from 'vite'
import { onlyNeededShaders } from './trim-three/shaders.js'
import { withoutUnusedCode } from './trim-three/unused-code.js'

/** The code around `import()` that loads style sheets with a script: the scripts of the page have none. */
const withoutPreloading = {
  name: 'without-preloading',
  enforce: 'pre',
  load: id => (id.includes('vite/preload-helper') ? 'export const __vitePreload = load => load()' : null),
}

export default defineConfig({
  base: './',
  plugins: [onlyNeededShaders, withoutUnusedCode, withoutPreloading],
  worker: {
    format: 'es',
    rollupOptions: { output: { entryFileNames: 'worker.js' } },
  },
  build: {
    outDir: '../crates/surefoot-studio/page',
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      // Fixed names: the server embeds these files one by one.
      output: {
        entryFileNames: 'studio.js',
        chunkFileNames: '[name].js',
        assetFileNames: 'studio.[ext]',
      },
    },
  },
})
