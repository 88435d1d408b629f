// The code of three.js without what the page never runs, although three.js refers to it. A bundler cannot leave it out.

/** Classes and functions of the top level, and what replaces them. */
const REPLACED = {
  'three.core.js': {
    // Animations and loaders of three.js: the page computes its poses in the core.
    Interpolant: 'class Interpolant {}',
    KeyframeTrack: 'class KeyframeTrack {}',
    Loader: 'class Loader {}',
    LoadingManager: 'class LoadingManager {}',
    PropertyBinding: 'class PropertyBinding {}',
  },
  'three.module.js': {
    // Virtual reality.
    WebXRManager: `class WebXRManager extends EventDispatcher {
      enabled = false; isPresenting = false; getEnvironmentBlendMode() {} setAnimationLoop() {} dispose() {}
    }`,
    WebXRDepthSensing: '',
    // Environment maps.
    PMREMGenerator: 'class PMREMGenerator {}',
    WebGLEnvironments: 'function WebGLEnvironments() { this.get = () => null; this.dispose = () => {}; }',
    // Shadows, morph targets, uniform buffers, and pictures that are not drawn to the canvas directly.
    WebGLShadowMap: 'function WebGLShadowMap() { this.enabled = false; this.render = () => {}; }',
    WebGLMorphtargets: 'function WebGLMorphtargets() { this.update = () => {}; }',
    WebGLUniformsGroups: 'function WebGLUniformsGroups() { this.dispose = () => {}; }',
    WebGLOutput: 'function WebGLOutput() { throw new Error( LEFT_OUT ); }',
  },
}

/** Functions within classes and functions that the page never calls. Calls throw an error. */
const UNUSED = {
  'three.core.js': {
    BufferAttribute: ['toJSON'],
    BufferGeometry: ['computeTangents', 'toJSON', 'toNonIndexed'],
    Material: ['fromJSON', 'toJSON'],
    Object3D: ['toJSON'],
    ShaderMaterial: ['fromJSON', 'toJSON'],
    Texture: ['toJSON'],
  },
  'three.module.js': {
    WebGLGeometries: ['updateWireframeAttribute'],
    WebGLMaterials: [
      'refreshUniformsDash',
      'refreshUniformsDistance',
      'refreshUniformsMatcap',
      'refreshUniformsPhong',
      'refreshUniformsPhysical',
      'refreshUniformsPoints',
      'refreshUniformsSprites',
      'refreshUniformsStandard',
      'refreshUniformsToon',
    ],
    WebGLRenderer: [
      'compileAsync',
      'copyTextureToTexture',
      'readRenderTargetPixels',
      'readRenderTargetPixelsAsync',
      'renderTransmissionPass',
    ],
    WebGLTextures: [
      'deallocateRenderTarget',
      'rebindTextures',
      'setupDepthRenderbuffer',
      'setupDepthTexture',
      'setupFrameBufferTexture',
      'setupRenderBufferStorage',
      'setupRenderTarget',
      'updateMultisampleRenderTarget',
      'updateRenderTargetMipmap',
      'uploadCubeTexture',
    ],
  },
}

/** Functions that are called for every picture and do nothing in the page, whose background has one colour. */
const IDLE = { 'three.module.js': { WebGLBackground: ['addToRenderList'] } }

const LEFT_OUT = "const LEFT_OUT = 'not in the page: trim-three/unused-code.js';\n"

/** Replaces a class or function of the top level, which ends at the first brace in column 0. */
function replaceDeclaration(code, name, replace) {
  const pattern = new RegExp(`^(?:class|function) ${name}\\b[^]*?\\n}\\n`, 'm')
  if (!pattern.test(code)) throw new Error(`three.js has no class or function ${name}`)
  return code.replace(pattern, replace)
}

/** Replaces the body of a function within a declaration, which ends at the first brace with its indentation. */
function replaceBody(declaration, name, body) {
  const pattern = new RegExp(
    `^(\\t+)((?:static )?${name}|function ${name}|this\\.${name} = (?:async )?function) ?\\(.*\\) {\\n[^]*?\\n\\1}`,
    'm',
  )
  if (!pattern.test(declaration)) throw new Error(`three.js has no function ${name}`)
  return declaration.replace(pattern, `$1$2() {${body}}`)
}

/** Replaces the bodies of functions within declarations. */
function replaceBodies(code, table, body) {
  return Object.entries(table ?? {}).reduce(
    (text, [name, functions]) =>
      replaceDeclaration(text, name, declaration =>
        functions.reduce((shorter, one) => replaceBody(shorter, one, body), declaration),
      ),
    code,
  )
}

export const withoutUnusedCode = {
  name: 'without-unused-code',
  transform(code, id) {
    const file = id.split('/').pop()
    if (!(file in REPLACED)) return null
    const replaced = Object.entries(REPLACED[file]).reduce(
      (text, [name, replacement]) => replaceDeclaration(text, name, () => `${replacement}\n`),
      code,
    )
    const idle = replaceBodies(replaced, IDLE[file], '')
    return LEFT_OUT + replaceBodies(idle, UNUSED[file], ' throw new Error( LEFT_OUT ); ')
  },
}
