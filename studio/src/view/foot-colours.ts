// Colours the feet of a mesh by the state of heel and ball.

import { type Color, type Material, Vector4 } from 'three'

/** The number of legs whose feet are coloured, as in the core. */
const MOST_LEGS = 8
/** How much of the state's colour a foot gets; the rest is its own, so that its shape stays visible. */
const SHARE = 0.72

/** The colours of all foot points, in the order of the vertices' numbers: first that of vertices of no foot. */
export interface FootUniforms {
  value: Vector4[]
  set: (colourOf: (leg: number, point: number) => Color | null) => void
}

export function footUniforms(): FootUniforms {
  const value = Array.from({ length: 1 + 2 * MOST_LEGS }, () => new Vector4(0, 0, 0, 0))
  const set: FootUniforms['set'] = colourOf =>
    value.slice(1).forEach((uniform, n) => {
      const colour = colourOf(Math.floor(n / 2), n % 2)
      if (colour) uniform.set(colour.r, colour.g, colour.b, SHARE)
      else uniform.w = 0
    })
  return { value, set }
}

/** Lets a material colour the vertices of feet. */
export function colouredFeet<M extends Material>(material: M, colours: FootUniforms): M {
  material.onBeforeCompile = shader => {
    shader.uniforms.footColours = colours
    const declarations = `attribute float footPoint;
      uniform vec4 footColours[${colours.value.length}];
      varying vec4 footColour;
      void main() {
        footColour = footColours[int(footPoint + 0.5)];`
    shader.vertexShader = shader.vertexShader.replace('void main() {', declarations)
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', 'varying vec4 footColour;\nvoid main() {')
      .replace(
        '#include <alphatest_fragment>',
        '#include <alphatest_fragment>\ndiffuseColor.rgb = mix(diffuseColor.rgb, footColour.rgb, footColour.a);',
      )
  }
  return material
}
