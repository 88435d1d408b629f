// The 3D view: before as a ghost, after solid; or side by side; or one wiped over the other. Foot points, trails.

import {
  BufferAttribute, BufferGeometry, CapsuleGeometry, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, Group, HemisphereLight,
  InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera,
  Plane, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { Three } from './core'
import { Footprints } from './footprints'
import { Handles, Role } from './handles'
import { state } from './state'

/** A planted point faster than this skates, in metres per second: the figures' own bar. */
const SKATES = 0.1
/** A point lower than this is below the floor, in metres. */
const BELOW = -0.002
const Y = new Vector3(0, 1, 0)
/** How much of a second a trail shows, to each side of the frame. */
const TRAIL = 1

export class View {
  shown = { follow: true, ghost: true, apart: false, wipe: false, trails: true }
  /** Where the wipe is, as a share of the width: before to the left of it, after to the right. */
  cut = 0.5
  /** Called with a plant's number and where it is dragged; `null` when it is let go. */
  onSpot: (plant: number, spot: Three | null) => void = () => {}
  readonly handles: Handles
  readonly footprints: Footprints
  private scene = new Scene()
  private camera = new PerspectiveCamera(38, 1, 0.02, 400)
  private renderer: WebGLRenderer
  private controls: OrbitControls
  private world = new Group()
  /** Before and after. */
  private bones: InstancedMesh[] = []; private points: InstancedMesh[] = []; private trails: Line[][] = []
  private pairs: [number, number][] = []
  private floor = new Plane(new Vector3(0, 1, 0), 0)
  private colours = new Map<string, Color>()
  private lastRoot = new Vector3()
  private needed = true
  size = 1.7
  /** Which way is forward, and across it: from the path, where there is one. */
  private along = new Vector3(); private across = new Vector3()
  /** How many times a picture was drawn, and of how many things: for tests. */
  drawn = { pictures: 0, calls: 0 }

  constructor(private canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true })
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.info.autoReset = false
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.addEventListener('change', () => { this.needed = true; this.handles.show() })
    this.footprints = new Footprints(this); this.handles = new Handles(this)
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8a90, 2.2), this.world)
    const sun = new DirectionalLight(0xffffff, 1.4)
    sun.position.set(2, 5, 3); this.scene.add(sun)
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!)
    this.grab()
    const loop = () => { requestAnimationFrame(loop); if (this.needed) { this.needed = false; this.render() } }
    loop()
  }

  private resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement!
    this.renderer.setSize(w, h, false)
    this.camera.aspect = w / Math.max(h, 1); this.camera.updateProjectionMatrix(); this.needed = true
  }
  draw() { this.needed = true }

  private render() {
    const { renderer, shown } = this, size = renderer.getSize(new Vector2()), cut = Math.round(size.x * this.cut)
    renderer.info.reset()
    const only = (which: boolean[]) => which.forEach((is, when) => {
      if (!this.bones[when]) return
      this.bones[when].visible = is; this.points[when].visible = is && !this.handles.on
      this.trails[when].forEach(line => (line.visible = is && shown.trails && !this.handles.on && (when === 1 || shown.wipe || shown.apart)))
    })
    const part = (x: number, w: number, which: boolean[]) => { only(which); renderer.setScissor(x, 0, w, size.y); renderer.render(this.scene, this.camera) }
    const wiped = shown.wipe && !this.handles.on
    renderer.setScissorTest(wiped)
    if (wiped) { part(0, cut, [true, false]); part(cut, size.x - cut, [false, true]) }
    else { only(this.handles.on ? [true, false] : [shown.ghost || shown.apart, true]); renderer.render(this.scene, this.camera) }
    this.drawn = { pictures: this.drawn.pictures + 1, calls: renderer.info.render.calls }
  }

  colour(name: string) {
    let found = this.colours.get(name)
    if (!found) this.colours.set(name, (found = new Color(getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())))
    return found
  }

  /** Makes the scene anew for a file, or for other colours. */
  build() {
    const about = state.about!
    this.world.traverse(thing => { if (thing instanceof Mesh || thing instanceof Line) { thing.geometry.dispose() } })
    this.world.clear(); this.colours.clear()
    this.scene.background = this.colour('sky')
    this.pairs = about.joints.flatMap((joint, n) => (joint.parent === null ? [] : [[joint.parent, n] as [number, number]]))
    const joints = about.joints.length
    about.legs.forEach((leg, n) => {
      const at = joints + 3 * n
      this.pairs.push([leg.ankle, at], [at, at + 1], [leg.ankle, at + 1], [at + 1, at + 2])
    })
    this.size = this.height()
    const [sx, , sz] = this.place(state.before, 0, 0), [ex, , ez] = this.place(state.before, about.frames - 1, 0)
    this.along.set(ex - sx, 0, ez - sz)
    if (this.along.length() < 0.3 * this.size) this.along.set(0, 0, 1)
    this.along.normalize(); this.across.set(this.along.z, 0, -this.along.x)
    this.bones = ['ghost', 'body'].map(name => {
      const material = new MeshLambertMaterial({ color: this.colour(name), transparent: name === 'ghost' })
      return this.add(new InstancedMesh(new CapsuleGeometry(0.5, 1, 4, 10), material, this.pairs.length))
    })
    this.points = [0, 1].map(n => this.add(new InstancedMesh(
      new SphereGeometry(0.013 * this.size, 16, 12), new MeshBasicMaterial({ transparent: true, opacity: n ? 1 : 0.7, depthTest: false }), Math.max(1, 2 * about.legs.length)), 2))
    this.points.forEach(mesh => (mesh.count = 2 * about.legs.length))
    const room = 2 * Math.ceil(TRAIL * about.fps) + 2
    this.trails = [0, 1].map(when => about.legs.flatMap((_, leg) => [0, 1].map(point => {
      const geometry = new BufferGeometry()
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * room), 3).setUsage(DynamicDrawUsage))
      const line = new Line(geometry, new LineBasicMaterial({ color: this.colour(when ? (leg % 2 ? 'right' : 'left') : 'bad'), transparent: true, opacity: point ? 0.9 : 0.5 }))
      line.frustumCulled = false; this.world.add(line)
      return line
    })))
    this.ground()
    this.footprints.build(); this.handles.build()
    this.changed()
  }

  /** Puts a mesh of many into the world. */
  add(mesh: InstancedMesh, order = 0) {
    mesh.frustumCulled = false; mesh.renderOrder = order; mesh.instanceMatrix.setUsage(DynamicDrawUsage); this.world.add(mesh)
    return mesh
  }

  private height() {
    let low = Infinity, high = -Infinity
    for (let n = 1; n < state.stride; n += 3) { low = Math.min(low, state.before[n]); high = Math.max(high, state.before[n]) }
    return Math.max(high - low, 0.2)
  }

  private ground() {
    const about = state.about!
    if (about.mesh) {
      const geometry = new BufferGeometry()
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(about.mesh), 3)); geometry.computeVertexNormals()
      this.world.add(new Mesh(geometry, new MeshLambertMaterial({ color: this.colour('grid'), side: DoubleSide, flatShading: true })))
      return
    }
    const [x, y, z, offset] = about.floor ?? [0, 1, 0, 0]
    this.floor.set(new Vector3(x, y, z), -offset)
    const box = [Infinity, -Infinity, Infinity, -Infinity]
    for (let f = 0; f < about.frames; f++) {
      const [px, , pz] = this.place(state.before, f, 0)
      box[0] = Math.min(box[0], px); box[1] = Math.max(box[1], px); box[2] = Math.min(box[2], pz); box[3] = Math.max(box[3], pz)
    }
    const step = this.size > 0.6 ? 0.5 : 0.1, edge = [Math.floor(box[0] / step) - 6, Math.ceil(box[1] / step) + 6, Math.floor(box[2] / step) - 6, Math.ceil(box[3] / step) + 6]
    const at = (gx: number, gz: number) => [gx, (offset - x * gx - z * gz) / y, gz]
    const lines: number[] = []
    // Over a long way the squares are larger, and still squares.
    const few = Math.max(1, Math.ceil(Math.max(edge[1] - edge[0], edge[3] - edge[2]) / 1200))
    for (let n = edge[0]; n <= edge[1]; n += few) lines.push(...at(n * step, edge[2] * step), ...at(n * step, edge[3] * step))
    for (let n = edge[2]; n <= edge[3]; n += few) lines.push(...at(edge[0] * step, n * step), ...at(edge[1] * step, n * step))
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(lines), 3))
    this.world.add(new LineSegments(geometry, new LineBasicMaterial({ color: this.colour('grid') })))
  }
  /** Which way up is on the floor. */
  get up() { return this.floor.normal }

  place(from: Float32Array, frame: number, point: number): Three {
    const at = frame * state.stride + 3 * point
    return [from[at], from[at + 1], from[at + 2]]
  }

  /** The plants are others. */
  changed() { this.footprints.place(); this.show() }

  /** Draws the frame that is shown. */
  show() {
    const about = state.about
    if (!about || !this.bones.length) return
    const { shown, handles } = this, frame = Math.round(state.frame), beside = shown.apart && !handles.on
    const aside = this.across.clone().multiplyScalar(beside ? -0.8 * this.size : 0)
    this.pose(this.bones[0], state.before, frame, aside); this.pose(this.bones[1], state.after, frame, new Vector3())
    const ghost = this.bones[0].material as MeshLambertMaterial, solid = shown.wipe && !handles.on
    ghost.opacity = solid ? 1 : 0.48; ghost.depthWrite = solid
    const joints = about.joints.length, matrix = new Matrix4()
    ;[state.before, state.after].forEach((from, when) => {
      const curves = when ? state.curvesAfter : state.curvesBefore, mesh = this.points[when], by = when ? new Vector3() : aside
      about.legs.forEach((_, leg) => [0, 1].forEach(point => {
        const [x, y, z] = this.place(from, frame, joints + 3 * leg + point)
        mesh.setMatrixAt(2 * leg + point, matrix.makeTranslation(x + by.x, y, z + by.z))
        const held = state.plants.some(p => p.leg === leg && (p.point === 'ball') === !!point && p.first <= frame && frame <= p.last)
        const name = state.curve(curves, frame, leg, point) < BELOW ? 'warn' : !held ? 'ghost' : state.curve(curves, frame, leg, 2 + point) > SKATES ? 'bad' : 'accent'
        mesh.setColorAt(2 * leg + point, this.colour(name))
        this.trail(this.trails[when][2 * leg + point], from, frame, joints + 3 * leg + point, by)
      }))
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
    })
    this.footprints.show(frame); handles.show()
    const root = new Vector3(...this.place(state.after, frame, 0))
    if (shown.follow) {
      const moved = root.clone().sub(this.lastRoot); moved.y = 0
      this.controls.target.add(moved); this.camera.position.add(moved)
    }
    this.lastRoot.copy(root)
    this.controls.update()
    this.needed = true
  }

  /** Where a point is within a second of a frame. */
  private trail(line: Line, from: Float32Array, frame: number, point: number, aside: Vector3) {
    const { fps, frames } = state.about!, around = Math.ceil(TRAIL * fps), start = Math.max(0, frame - around), end = Math.min(frames, frame + around + 1)
    const places = line.geometry.getAttribute('position') as BufferAttribute
    for (let f = start; f < end; f++) { const [x, y, z] = this.place(from, f, point); places.setXYZ(f - start, x + aside.x, y, z + aside.z) }
    places.needsUpdate = true; line.geometry.setDrawRange(0, end - start)
  }

  private pose(mesh: InstancedMesh, from: Float32Array, frame: number, aside: Vector3) {
    const a = new Vector3(), b = new Vector3(), middle = new Vector3(), turn = new Quaternion(), scale = new Vector3(), matrix = new Matrix4()
    this.pairs.forEach(([p, q], n) => {
      a.set(...this.place(from, frame, p)); b.set(...this.place(from, frame, q))
      const length = a.distanceTo(b), thick = 0.026 * this.size * Math.min(1, 0.45 + length / (0.22 * this.size))
      middle.addVectors(a, b).multiplyScalar(0.5).add(aside)
      turn.setFromUnitVectors(Y, b.sub(a).normalize().lengthSq() ? b : Y)
      // A capsule of this shape is two units long with its caps.
      mesh.setMatrixAt(n, matrix.compose(middle, turn, scale.set(thick, (length + thick) / 2, thick)))
    })
    mesh.instanceMatrix.needsUpdate = true
  }

  look(from: 'side' | 'front' | 'top' | 'feet' | 'start') {
    const root = new Vector3(...this.place(state.after, Math.round(state.frame), 0)), far = (from === 'feet' ? 0.75 : 2.3) * this.size
    const { along, across } = this
    const way = { side: across.clone(), front: along.clone(), feet: across.clone().addScaledVector(along, 0.5).add(new Vector3(0, 0.35, 0)), top: new Vector3(0, 1, 0).addScaledVector(along, -0.001), start: across.clone().multiplyScalar(0.9).addScaledVector(along, 0.55).add(new Vector3(0, 0.28, 0)) }[from]
    const middle = root.clone()
    if (from === 'feet') middle.addScaledVector(this.floor.normal, 0.06 * this.size - this.floor.distanceToPoint(root))
    else middle.y -= 0.1 * this.size
    this.controls.target.copy(middle)
    this.camera.position.copy(middle).addScaledVector(way.normalize(), far)
    this.lastRoot.copy(root)
    this.controls.update(); this.needed = true
  }

  png() { this.render(); return this.canvas.toDataURL('image/png') }

  /** Footprints and the rig's points are grabbed before the view turns. */
  private grab() {
    const ray = new Raycaster(), at = new Vector2(), hit = new Vector3(), level = new Plane(), towards = new Vector3()
    let held: number | null = null, point: [number, Role] | null = null
    const aim = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect()
      at.set(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2)
      ray.setFromCamera(at, this.camera)
    }
    const take = (event: PointerEvent) => { this.controls.enabled = false; this.canvas.setPointerCapture(event.pointerId); event.stopImmediatePropagation() }
    this.canvas.addEventListener('pointerdown', event => {
      if (event.button || !state.about) return
      aim(event)
      if (this.handles.on) {
        if (this.handles.press(event)) return take(event)
        point = this.handles.grabbed(event)
        if (!point) return
        level.setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(towards), this.handles.at(...point))
        return take(event)
      }
      const found = this.footprints.under(ray)
      if (found === undefined) return
      held = found; take(event)
      state.chosen = new Set([found]); state.remember()
    }, { capture: true })
    this.canvas.addEventListener('pointermove', event => {
      aim(event)
      if (point) { if (ray.ray.intersectPlane(level, hit)) this.handles.move(...point, hit) }
      else if (this.handles.on) this.canvas.style.cursor = this.handles.hover(event)
      else if (held === null) this.canvas.style.cursor = this.footprints.under(ray) === undefined ? '' : 'grab'
      else {
        const spot = state.spots[held]
        level.setFromNormalAndCoplanarPoint(this.floor.normal, spot ? new Vector3(...spot) : new Vector3())
        if (ray.ray.intersectPlane(level, hit)) this.onSpot(held, [hit.x, hit.y, hit.z])
      }
    })
    const release = () => {
      if (held !== null) this.onSpot(held, null)
      if (point) this.handles.release(...point)
      held = point = null; this.controls.enabled = true
    }
    this.canvas.addEventListener('pointerup', release); this.canvas.addEventListener('pointercancel', release)
    this.canvas.addEventListener('pointerleave', () => this.handles.leave())
  }

  /** So far to the right and away, along the floor, as seen from here. */
  onFloor(right: number, away: number): Three {
    const aside = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0).projectOnPlane(this.up).normalize()
    return aside.clone().multiplyScalar(right).addScaledVector(new Vector3().crossVectors(this.up, aside), away).toArray() as Three
  }
  /** How long a pixel is at a place, in metres. */
  pixel(place: Vector3) { return (2 * Math.tan((Math.PI / 360) * this.camera.fov) * this.camera.position.distanceTo(place)) / Math.max(1, this.canvas.clientHeight) }
  /** Where on the screen a place is. */
  project(place: Vector3): [number, number, number] {
    this.camera.updateMatrixWorld()
    const box = this.canvas.getBoundingClientRect(), p = place.clone().project(this.camera)
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height, p.z]
  }
  /** Where on the screen a plant's footprint is, for tests and for keys. */
  onScreen(plant: number): [number, number] { const [x, y] = this.project(new Vector3(...state.spots[plant]!)); return [x, y] }
}
