// The 3D view: the captured figure as a ghost and the cleaned one solid, side by side, or with a wipe.

import {
  DirectionalLight,
  Group,
  HemisphereLight,
  Line,
  Mesh,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Plant, Vec3 } from '../messages'
import { state } from '../state/state'
import { Camera, type Viewpoint, heightRange } from './camera'
import { Figure } from './figure'
import { FileCharacter } from './file-character'
import { makeFloor } from './floor'
import { FootprintLabel } from './footprint-label'
import { Footprints } from './footprints'
import { Inset } from './inset'
import { Palette } from './palette'
import { ViewPointer } from './pointer'
import { RigHandles } from './rig-handles'

/** Distance between the figures side by side, as a fraction of their height. */
const SIDE_BY_SIDE = 0.8
/** Smallest height of a figure in metres: a clip may start lying flat. */
const MIN_SIZE = 0.2

/** The options that the buttons of the view switch on and off. */
export interface Display {
  /** The camera follows the root. */
  follow: boolean
  /** The captured figure is shown. */
  ghost: boolean
  /** The figures stand side by side. */
  apart: boolean
  /** The captured figure is shown left of the divider, the cleaned one right of it. */
  wipe: boolean
  trails: boolean
  /** The character of the file is shown, if there is one. */
  mesh: boolean
  /** The camera moves close to the foot of a plant that is selected or dragged. */
  focus: boolean
  /** The foot of the selected plant is shown in a corner, captured and cleaned. */
  inset: boolean
}

export class View {
  readonly display: Display = {
    follow: true,
    ghost: true,
    apart: false,
    wipe: false,
    trails: true,
    mesh: true,
    focus: true,
    inset: true,
  }
  /** Only the captured figure is shown, while the user holds the key that compares. */
  showsCaptureOnly = false
  /** Position of the wipe's divider as a fraction of the width. */
  divider = 0.5
  /** Called with a plant whose footprint is grabbed, and with its number when it is released. */
  onGrab: (plant: Plant) => void = () => undefined
  onRelease: (plant: number) => void = () => undefined
  /** Called with a plant and the position that its footprint is dragged to. */
  onSpot: (plant: number, spot: Vec3) => void = () => undefined
  readonly camera: Camera
  readonly character: FileCharacter
  readonly handles: RigHandles
  readonly footprints: Footprints
  /** Pictures drawn so far, and draw calls of the last one, so that tests can bound the work. */
  stats = { pictures: 0, calls: 0 }
  private readonly renderer: WebGLRenderer
  private readonly inset: Inset
  private readonly label = new FootprintLabel()
  private readonly scene = new Scene()
  private readonly world = new Group()
  private readonly palette = new Palette()
  private readonly captured = new Figure('captured', state.before, this.palette)
  private readonly cleaned = new Figure('cleaned', state.after, this.palette)
  private needsDrawing = true
  private isBuilt = false
  /** Height of the figure in metres. */
  private size = 1.7

  constructor(private readonly canvas: HTMLCanvasElement) {
    // The drawing is kept for saving it as an image.
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true })
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.info.autoReset = false
    this.camera = new Camera(canvas)
    this.character = new FileCharacter([this.captured, this.cleaned], this.world, this.camera)
    this.inset = new Inset(this.renderer, this.scene, this.camera)
    this.footprints = new Footprints(this.world, this.palette)
    this.handles = new RigHandles(this.world, this.camera, this.palette)
    this.handles.onChange = () => this.draw()
    this.camera.controls.addEventListener('change', () => {
      this.handles.show()
      this.draw()
    })
    const sun = new DirectionalLight(0xffffff, 1.4)
    sun.position.set(2, 5, 3)
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8a90, 2.2), sun, this.world)
    if (canvas.parentElement) new ResizeObserver(() => this.resize()).observe(canvas.parentElement)
    new ViewPointer(this, canvas)
    this.drawWhenNeeded()
  }

  private resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas
    this.renderer.setSize(width, height, false)
    this.camera.setAspect(width / Math.max(height, 1))
    this.draw()
  }

  /** Draws the scene at the next animation frame. */
  draw() {
    this.needsDrawing = true
  }

  private drawWhenNeeded() {
    requestAnimationFrame(() => this.drawWhenNeeded())
    if (!this.needsDrawing) return
    this.needsDrawing = false
    this.render()
  }

  private render() {
    const { renderer, display, handles } = this
    renderer.info.reset()
    const isWiping = display.wipe && !handles.isOn && !this.showsCaptureOnly
    renderer.setScissorTest(isWiping)
    if (isWiping) {
      const { x: width } = renderer.getSize(new Vector2())
      const divider = Math.round(width * this.divider)
      this.renderPart(0, divider, 'captured')
      this.renderPart(divider, width - divider, 'cleaned')
    } else if (this.showsCaptureOnly) {
      this.setVisible(true, false)
      renderer.render(this.scene, this.camera.camera)
    } else {
      this.setVisible(handles.isOn || display.ghost || display.apart, !handles.isOn)
      renderer.render(this.scene, this.camera.camera)
    }
    this.renderInset()
    this.label.show(this.camera, !handles.isOn)
    this.stats = { pictures: this.stats.pictures + 1, calls: renderer.info.render.calls }
  }

  private renderInset() {
    if (!this.display.inset || this.handles.isOn || !this.isBuilt) return this.inset.hide()
    this.captured.setSolid(true)
    const show = (figure: 'captured' | 'cleaned') =>
      this.setVisible(figure === 'captured', figure === 'cleaned')
    this.inset.render(show, this.size, this.aside)
    this.captured.setSolid(this.isCaptureSolid)
  }

  /** Whether the captured figure is no ghost. */
  private get isCaptureSolid() {
    const { wipe, apart } = this.display
    return (wipe || apart || this.showsCaptureOnly) && !this.handles.isOn
  }

  /** How far the captured figure stands beside the cleaned one. */
  private get aside() {
    const isApart = this.display.apart && !this.handles.isOn
    return this.camera.across.clone().multiplyScalar(isApart ? -SIDE_BY_SIDE * this.size : 0)
  }

  /** Renders a vertical strip of the view with one of the figures. */
  private renderPart(x: number, width: number, figure: 'captured' | 'cleaned') {
    this.setVisible(figure === 'captured', figure === 'cleaned')
    this.renderer.setScissor(x, 0, width, this.renderer.getSize(new Vector2()).y)
    this.renderer.render(this.scene, this.camera.camera)
  }

  private setVisible(captured: boolean, cleaned: boolean) {
    const { trails, wipe, apart } = this.display
    const isEditingRig = this.handles.isOn
    const showTrails = trails && !isEditingRig
    // Over the cleaned figure the captured trails would only be clutter.
    const body = this.display.mesh ? 'mesh' : 'body'
    const style = (isVisible: boolean) => (!isVisible ? 'hidden' : isEditingRig ? 'bones' : body)
    this.captured.setVisible(style(captured), captured && showTrails && (wipe || apart))
    this.cleaned.setVisible(style(cleaned), cleaned && showTrails)
  }

  /** Makes the scene for the open file and the current theme. */
  build() {
    this.world.traverse(object => {
      if (object instanceof Mesh || object instanceof Line) (object as Mesh).geometry.dispose()
    })
    this.world.clear()
    this.palette.clear()
    this.scene.background = this.palette.get('sky')
    this.size = figureHeight()
    this.camera.setClip(this.size)
    this.captured.build(this.world, this.size)
    this.cleaned.build(this.world, this.size)
    this.world.add(makeFloor(this.palette, this.size))
    this.footprints.clear()
    this.handles.build()
    this.isBuilt = true
    this.character.build(this.size, () => this.show())
    this.update()
  }

  /** Shows changed plants. */
  update() {
    if (!this.isBuilt) return
    this.footprints.update(this.size)
    this.show()
  }

  /** Shows the current frame. */
  show() {
    if (!this.isBuilt) return
    const { display, handles, camera } = this
    const frame = Math.round(state.frame)
    this.captured.pose(frame, this.aside)
    this.cleaned.pose(frame, new Vector3())
    this.captured.setSolid(this.isCaptureSolid)
    this.footprints.show(frame, !handles.isOn)
    handles.show()
    camera.follow(display.follow)
    this.draw()
  }

  /** Shows only the capture, or both motions again. */
  holdCapture(isHeld: boolean) {
    this.showsCaptureOnly = isHeld
    this.show()
  }

  /** Moves the camera close to a foot, seen from where it is now. */
  lookAtFoot(leg: number) {
    this.camera.lookAtFoot(leg)
    this.draw()
  }

  look(from: Viewpoint) {
    this.camera.look(from)
    this.draw()
  }

  /** The view as a PNG file. */
  png(): string {
    this.render()
    return this.canvas.toDataURL('image/png')
  }

  /** Whether the character of the file is in the scene, for tests. */
  get hasCharacter() {
    return this.cleaned.hasCharacter
  }

  /** Client coordinates of a plant's footprint, for tests. */
  footprintOnScreen(plant: number): [number, number] {
    const [x, y] = this.camera.project(new Vector3(...(state.spots[plant] ?? [0, 0, 0])))
    return [x, y]
  }
}

/** Height of the captured figure in the first frame of the performance, in metres. */
function figureHeight() {
  const { low, high } = heightRange(state.before, state.clip.first)
  return Math.max(high - low, MIN_SIZE)
}
