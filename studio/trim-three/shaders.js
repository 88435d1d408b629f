// The shaders of three.js without what the page never compiles.

import { resolveConditions } from './preprocessor.js'

/** The materials that the page uses. Shaders of three.js that these do not include are left out of the page. */
const MATERIALS = ['meshbasic', 'meshlambert']

/**
 * Features that no material of the page has. What depends on them is left out of the shaders. Textures, skinning,
 * vertex colours, instances and transparency stay.
 */
export const UNUSED_MACROS = [
  'ALPHA_TO_COVERAGE',
  'DECODE_VIDEO_TEXTURE',
  'DECODE_VIDEO_TEXTURE_EMISSIVE',
  'DITHERING',
  'FOG_EXP2',
  'PHONG',
  'STANDARD',
  'TONE_MAPPING',
  'USE_ALPHAHASH',
  'USE_ALPHAMAP',
  'USE_ANISOTROPY',
  'USE_ANISOTROPYMAP',
  'USE_AOMAP',
  'USE_BATCHING',
  'USE_BATCHING_COLOR',
  'USE_BUMPMAP',
  'USE_CLEARCOAT',
  'USE_CLEARCOATMAP',
  'USE_CLEARCOAT_NORMALMAP',
  'USE_CLEARCOAT_ROUGHNESSMAP',
  'USE_DIFFUSE_ROUGHNESSMAP',
  'USE_DISPLACEMENTMAP',
  'USE_EMISSIVEMAP',
  'USE_ENVMAP',
  'USE_FOG',
  'USE_INSTANCING_MORPH',
  'USE_IRIDESCENCE',
  'USE_IRIDESCENCEMAP',
  'USE_IRIDESCENCE_THICKNESSMAP',
  'USE_LIGHTMAP',
  'USE_LIGHT_PROBES',
  'USE_LOGARITHMIC_DEPTH_BUFFER',
  'USE_METALNESSMAP',
  'USE_MORPHCOLORS',
  'USE_MORPHNORMALS',
  'USE_MORPHTARGETS',
  'USE_NORMALMAP',
  'USE_NORMALMAP_OBJECTSPACE',
  'USE_NORMALMAP_TANGENTSPACE',
  'USE_RETROREFLECTION',
  'USE_REVERSED_DEPTH_BUFFER',
  'USE_ROUGHNESSMAP',
  'USE_SHADOWMAP',
  'USE_SHEEN',
  'USE_SHEEN_COLORMAP',
  'USE_SHEEN_ROUGHNESSMAP',
  'USE_SPECULARMAP',
  'USE_SPECULAR_COLORMAP',
  'USE_SPECULAR_INTENSITYMAP',
  'USE_TANGENT',
  'USE_THICKNESSMAP',
  'USE_TRANSMISSION',
  'USE_TRANSMISSIONMAP',
]

/** Lights and clipping planes of which the page has none. */
const NONE = [
  'NUM_CLIPPING_PLANES',
  'NUM_DIR_LIGHT_SHADOWS',
  'NUM_LIGHT_PROBE_GRIDS',
  'NUM_POINT_LIGHTS',
  'NUM_POINT_LIGHT_SHADOWS',
  'NUM_RECT_AREA_LIGHTS',
  'NUM_SPOT_LIGHTS',
  'NUM_SPOT_LIGHT_COORDS',
  'NUM_SPOT_LIGHT_MAPS',
  'NUM_SPOT_LIGHT_SHADOWS',
  'NUM_SUN_LIGHTS',
  'NUM_SUN_LIGHT_SHADOWS',
]

/** Functions that three.js adds to a shader only for tone mapping, which the page does not use. */
const UNUSED_CHUNKS = ['tonemapping_pars_fragment']

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
    const chunk = queue.pop()
    const variable = variables.get(chunk)
    if (!variable || needed.has(variable) || UNUSED_CHUNKS.includes(chunk)) continue
    needed.add(variable)
    const includes = (sources.get(variable) ?? '').matchAll(/#include <(\w+)>/g)
    queue.push(...[...includes].map(([, chunk]) => chunk))
  }
  return { needed, all: new Set(variables.values()) }
}

/** Whether a condition of a shader holds in the page: true, false, or null if it depends on the material. */
function valueOf(atom) {
  const [, name] = /^defined\s*\(\s*(\w+)\s*\)$/.exec(atom) ?? []
  if (name) return UNUSED_MACROS.includes(name) ? false : null
  const [, left, right] = /^(\w+)\s*>\s*(\d+)$/.exec(atom) ?? []
  return left && NONE.includes(left) && Number(right) >= 0 ? false : null
}

/** A shader without unused parts, comments, indentation and empty lines. */
function trim(shader) {
  const resolved = resolveConditions(shader.replace(/\/\*[^]*?\*\/|\/\/.*/g, ''), valueOf)
  return resolved.replace(/^\s+|[ \t]+$/gm, '')
}

/** Throws if three.js does not have a feature of the lists above any more, or uses it in spite of them. */
function checkNames(code, shaders) {
  for (const name of [...UNUSED_MACROS, ...NONE, ...UNUSED_CHUNKS]) {
    if (!new RegExp(`\\b${name}\\b`).test(code)) throw new Error(`three.js has no ${name}`)
    if (shaders.some(shader => shader.includes(`#define ${name}\n`)))
      throw new Error(`a shader of three.js defines ${name}`)
  }
}

export const onlyNeededShaders = {
  name: 'only-needed-shaders',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    const texts = [...code.matchAll(SHADER)].map(([, name, text]) => [name, JSON.parse(`"${text}"`)])
    const sources = new Map(texts.map(([name, text]) => [name, trim(text)]))
    const { needed, all } = neededVariables(code, sources)
    if (needed.size < MIN_SHADERS) throw new Error('three.js stores its shaders in an unknown way')
    checkNames(
      code,
      [...needed].map(name => sources.get(name)),
    )
    return code.replace(SHADER, (line, name) => {
      if (!all.has(name)) return line
      return `const ${name} = ${JSON.stringify(needed.has(name) ? sources.get(name) : '')};`
    })
  },
}
