import { defineConfig } from 'vite'
import { onlyNeededShaders } from './trim-three/shaders.js'
import { withoutUnusedCode } from './trim-three/unused-code.js'

export default defineConfig({
  base: './',
  plugins: [onlyNeededShaders, withoutUnusedCode],
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
