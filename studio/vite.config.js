import { defineConfig } from 'vite'

// Fixed names: the binary embeds these files one by one.
export default defineConfig({
  base: './',
  build: {
    outDir: '../crates/surefoot-studio/page',
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: { output: { entryFileNames: 'studio.js', chunkFileNames: '[name].js', assetFileNames: 'studio.[ext]' } },
  },
})
