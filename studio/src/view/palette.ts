// The colours of the page's theme as three.js colours.

import { Color } from 'three'
import { cssColour } from '../dom'

export class Palette {
  private colours = new Map<string, Color>()

  /** The colour of a CSS variable, such as `sky` for `--sky`. */
  get(name: string): Color {
    let colour = this.colours.get(name)
    if (!colour) {
      colour = new Color(cssColour(name))
      this.colours.set(name, colour)
    }
    return colour
  }

  /** Forgets all colours, after a change of theme. */
  clear() {
    this.colours.clear()
  }
}
