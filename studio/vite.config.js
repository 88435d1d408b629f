import { defineConfig } from 'vite'

/** The materials that the page uses. Shaders of three.js that these do not include are left out of the page. */
const MATERIALS = ['meshbasic', 'meshlambert']

/** Matches the shader sources of three.js: `const NAME = "GLSL";` on one line. */
const SHADER = /^(?:var|const) ([\w$]+) = "((?:[^"\\]|\\.)*)";$/gm
/** Fewer shaders than this means that three.js stores them differently and the patterns above do not match. */
const MIN_SHADERS = 20

/** Variable names of the shader chunks, by chunk name. */
function chunkVariables(code) {
  const table = code.slice(code.indexOf('const ShaderChunk = {'))
  const entries = table.slice(0, table.indexOf('};')).matchAll(/^\t(\w+): ([\w$]+),?$/gm)
  return new Map([...entries].map(([, chunk, variable]) => [chunk, variable]))
}

/** Chunks that three.js uses in every program, besides the chunks of a material. */
function commonChunks(code) {
  const uses = [...code.matchAll(/ShaderChunk(?:\.(\w+)|\[ '(\w+)' \])/g)]
  return uses.map(([, dotted, quoted]) => dotted ?? quoted).filter(chunk => !/_(vert|frag)$/.test(chunk))
}

/** Variables of all shaders that the page needs, directly or by `#include`. */
function neededVariables(code, sources) {
  const variables = chunkVariables(code)
  const queue = [...commonChunks(code), ...MATERIALS.flatMap(name => [`${name}_vert`, `${name}_frag`])]
  const needed = new Set()
  while (queue.length) {
    const variable = variables.get(queue.pop())
    if (!variable || needed.has(variable)) continue
    needed.add(variable)
    const includes = (sources.get(variable) ?? '').matchAll(/#include <(\w+)>/g)
    queue.push(...[...includes].map(([, chunk]) => chunk))
  }
  return { needed, all: new Set(variables.values()) }
}

const onlyNeededShaders = {
  name: 'only-needed-shaders',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    const sources = new Map([...code.matchAll(SHADER)].map(([, name, text]) => [name, text]))
    const { needed, all } = neededVariables(code, sources)
    if (needed.size < MIN_SHADERS) throw new Error('three.js stores its shaders in an unknown way')
    return code.replace(SHADER, (line, name) =>
      all.has(name) && !needed.has(name) ? `const ${name} = "";` : line,
    )
  },
}

/**
 * Classes of three.js that its renderer refers to but that the page never uses, and what replaces them: virtual
 * reality and environment maps. Without them the page is about 7 KB smaller after compression.
 */
const UNUSED_CLASSES = {
  WebXRManager: `class WebXRManager extends EventDispatcher {
    enabled = false; isPresenting = false; getEnvironmentBlendMode() {} setAnimationLoop() {} dispose() {}
  }`,
  WebXRDepthSensing: '',
  PMREMGenerator: 'class PMREMGenerator {}',
}

const withoutUnusedClasses = {
  name: 'without-unused-classes',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    return Object.entries(UNUSED_CLASSES).reduce((text, [name, replacement]) => {
      // A class ends at the first brace in column 0.
      const pattern = new RegExp(`^class ${name} [^]*?\\n}\\n`, 'm')
      if (!pattern.test(text)) throw new Error(`three.js has no class ${name}`)
      return text.replace(pattern, `${replacement}\n`)
    }, code)
  },
}

export default defineConfig({
  base: './',
  plugins: [onlyNeededShaders, withoutUnusedClasses],
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
