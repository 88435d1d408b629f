// Brings the character of the open file into the scene, once its script and its images are loaded.

import type { Group } from 'three'
import { state } from '../state/state'
import { type Camera, heightRange } from './camera'
import type { Character } from './character'
import type { Figure } from './figure'

/** Height that may be cut off before the camera moves back, as a fraction of the figure's height. */
const CUT_OFF = 0.05

export class FileCharacter {
  /** Called with the reason why the character of a file cannot be shown. */
  onProblem: (error: Error) => void = () => undefined
  /** The character in the scene. */
  private character: Character | null = null
  /** How often the scene was made. */
  private builds = 0

  constructor(
    private readonly figures: Figure[],
    private readonly world: Group,
    private readonly camera: Camera,
  ) {}

  /** Adds the character to a new scene; `show` is called if that takes a while. Until then, the plain body is shown. */
  build(size: number, show: () => void) {
    const build = ++this.builds
    if (this.character && state.hasMesh(this.character.bytes)) return this.add(this.character)
    this.character = null
    this.camera.headroom = 0
    if (!state.clip.has_mesh) return
    this.load(build, size, show).catch((error: Error) => this.onProblem(error))
  }

  private async load(build: number, size: number, show: () => void) {
    const { Character } = await import('../formats')
    // Another file may have been opened meanwhile.
    if (build !== this.builds) return
    const character = await Character.load(state.meshBytes())
    if (!character || build !== this.builds) return
    this.character = character
    this.add(character)
    this.frame(character, size)
    show()
  }

  private add(character: Character) {
    this.figures.forEach(figure => figure.addCharacter(character, this.world))
  }

  /** Moves the camera back where the head of a character would be cut off. */
  private frame(character: Character, size: number) {
    const { first } = state.clip
    this.camera.headroom = Math.max(0, character.top(first) - heightRange(state.before, first).high)
    if (this.camera.headroom > CUT_OFF * size) this.camera.look('start')
  }
}
