import { defineConfig } from 'vite'

/** The materials that the page draws with: all shaders of three.js that these do not include are left out of the page. */
const MATERIALS = ['meshbasic', 'meshlambert']

const onlyOurShaders = {
  name: 'only-our-shaders',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    const texts = new Map([...code.matchAll(/^(?:var|const) ([\w$]+) = "((?:[^"\\]|\\.)*)";$/gm)].map(([, name, text]) => [name, text]))
    const chunks = code.slice(code.indexOf('const ShaderChunk = {'))
    const named = new Map([...chunks.slice(0, chunks.indexOf('};')).matchAll(/^\t(\w+): ([\w$]+),?$/gm)].map(([, chunk, name]) => [chunk, name]))
    // What programs are put together from, besides their material's own.
    const asked = [...code.matchAll(/ShaderChunk(?:\.(\w+)|\[ '(\w+)' \])/g)].map(([, a, b]) => a ?? b).filter(chunk => !/_(vert|frag)$/.test(chunk))
    const todo = [...asked, ...MATERIALS.flatMap(name => [`${name}_vert`, `${name}_frag`])], kept = new Set()
    while (todo.length) {
      const name = named.get(todo.pop())
      if (!name || kept.has(name)) continue
      kept.add(name)
      todo.push(...[...(texts.get(name) ?? '').matchAll(/#include <(\w+)>/g)].map(([, chunk]) => chunk))
    }
    if (kept.size < 20) throw new Error('three.js keeps its shaders otherwise than it did')
    const left = new Set([...named.values()].filter(name => texts.has(name) && !kept.has(name)))
    return code.replace(/^(var|const) ([\w$]+) = "(?:[^"\\]|\\.)*";$/gm, (all, kind, name) => (left.has(name) ? `${kind} ${name} = "";` : all))
  },
}

// Fixed names: the binary embeds these files one by one.
export default defineConfig({
  base: './',
  plugins: [onlyOurShaders],
  build: {
    outDir: '../crates/surefoot-studio/page',
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rollupOptions: { output: { entryFileNames: 'studio.js', chunkFileNames: '[name].js', assetFileNames: 'studio.[ext]' } },
  },
})
