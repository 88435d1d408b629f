// The 3D view: before as a ghost, after solid, foot points, trails and footprints.

import {
  BufferAttribute, BufferGeometry, CapsuleGeometry, CircleGeometry, Color, DirectionalLight, DoubleSide, DynamicDrawUsage, Group,
  HemisphereLight, InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  PerspectiveCamera, Plane, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { state } from './state'

const colour = (name: string) => new Color(getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())
/** A planted point faster than this skates, in metres per second: the figures' own bar. */
const SKATES = 0.1
/** A point lower than this is below the floor, in metres. */
const BELOW = -0.002
const Y = new Vector3(0, 1, 0)

export class View {
  shown = { follow: true, ghost: true, apart: false, trails: true }
  /** Called with a plant's number and where it is dragged; `null` when it is let go. */
  onSpot: (plant: number, spot: [number, number, number] | null) => void = () => {}
  private scene = new Scene()
  private camera = new PerspectiveCamera(38, 1, 0.02, 400)
  private renderer: WebGLRenderer
  private controls: OrbitControls
  private world = new Group()
  private bones: InstancedMesh[] = []
  private points: InstancedMesh[] = []
  private trails: Line[] = []
  private prints: Mesh[] = []
  private pairs: [number, number][] = []
  private floor = new Plane(new Vector3(0, 1, 0), 0)
  private lastRoot = new Vector3()
  private needed = true
  private size = 1.7
  /** Which way is forward, and across it: from the path, where there is one. */
  private along = new Vector3(); private across = new Vector3()

  constructor(private canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true })
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.addEventListener('change', () => { this.needed = true })
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8a90, 2.2), this.world)
    const sun = new DirectionalLight(0xffffff, 1.4)
    sun.position.set(2, 5, 3); this.scene.add(sun)
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!)
    this.grab()
    const loop = () => { requestAnimationFrame(loop); if (this.needed) { this.needed = false; this.renderer.render(this.scene, this.camera) } }
    loop()
  }

  private resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement!
    this.renderer.setSize(w, h, false)
    this.camera.aspect = w / Math.max(h, 1); this.camera.updateProjectionMatrix(); this.needed = true
  }

  /** Makes the scene anew for a file, or for other colours. */
  build() {
    const about = state.about!
    this.world.traverse(thing => { if (thing instanceof Mesh || thing instanceof Line) { thing.geometry.dispose() } })
    this.world.clear(); this.prints = []
    this.scene.background = colour('sky')
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
    this.bones = [['ghost', 0.35], ['body', 1]].map(([name, opacity]) => {
      const material = new MeshLambertMaterial({ color: colour(name as string), transparent: opacity !== 1, opacity: opacity as number, depthWrite: opacity === 1 })
      const mesh = new InstancedMesh(new CapsuleGeometry(0.5, 1, 4, 10), material, this.pairs.length)
      mesh.frustumCulled = false; mesh.instanceMatrix.setUsage(DynamicDrawUsage); this.world.add(mesh)
      return mesh
    })
    this.points = [0, 1].map(n => {
      const mesh = new InstancedMesh(new SphereGeometry(0.013 * this.size, 16, 12), new MeshBasicMaterial({ transparent: !n, opacity: n ? 1 : 0.55, depthTest: false }), 2 * about.legs.length)
      mesh.frustumCulled = false; mesh.renderOrder = 2; this.world.add(mesh)
      return mesh
    })
    this.trails = about.legs.flatMap((_, leg) => [0, 1].map(point => {
      const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: colour(leg % 2 ? 'right' : 'left'), transparent: true, opacity: point ? 0.9 : 0.5 }))
      line.frustumCulled = false; this.world.add(line)
      return line
    }))
    this.ground()
    this.changed()
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
      this.world.add(new Mesh(geometry, new MeshLambertMaterial({ color: colour('grid'), side: DoubleSide, flatShading: true })))
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
    const few = (n: number) => Math.max(1, Math.ceil(n / 400))
    for (let n = edge[0]; n <= edge[1]; n += few(edge[1] - edge[0])) lines.push(...at(n * step, edge[2] * step), ...at(n * step, edge[3] * step))
    for (let n = edge[2]; n <= edge[3]; n += few(edge[3] - edge[2])) lines.push(...at(edge[0] * step, n * step), ...at(edge[1] * step, n * step))
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(lines), 3))
    this.world.add(new LineSegments(geometry, new LineBasicMaterial({ color: colour('grid') })))
  }

  private place(from: Float32Array, frame: number, point: number): [number, number, number] {
    const at = frame * state.stride + 3 * point
    return [from[at], from[at + 1], from[at + 2]]
  }

  /** The plants are others: footprints and trails are. */
  changed() {
    const about = state.about!
    while (this.prints.length > state.plants.length) this.world.remove(this.prints.pop()!)
    state.plants.forEach((plant, n) => {
      let print = this.prints[n]
      if (!print) {
        print = new Mesh(new CircleGeometry(0.03 * this.size, 24), new MeshBasicMaterial({ transparent: true, side: DoubleSide, depthWrite: false }))
        print.userData.plant = n; this.prints.push(print); this.world.add(print)
      }
      const spot = state.spots[n]
      print.visible = !!spot
      if (!spot) return
      const normal = this.floor.normal
      print.position.set(...spot).addScaledVector(normal, 0.003)
      print.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal)
      const material = print.material as MeshBasicMaterial
      material.color = colour(state.slides[n] > 1e-6 ? 'bad' : plant.leg % 2 ? 'right' : 'left')
    })
    const joints = about.joints.length
    this.trails.forEach((line, n) => {
      const [leg, point] = [n >> 1, n & 1], track = new Float32Array(3 * about.frames)
      for (let f = 0; f < about.frames; f++) track.set(this.place(state.after, f, joints + 3 * leg + point), 3 * f)
      line.geometry.dispose(); line.geometry = new BufferGeometry()
      line.geometry.setAttribute('position', new BufferAttribute(track, 3))
    })
    this.show()
  }

  /** Draws the frame that is shown. */
  show() {
    const about = state.about
    if (!about || !this.bones.length) return
    const frame = Math.round(state.frame), aside = this.across.clone().multiplyScalar(this.shown.apart ? -0.8 * this.size : 0)
    this.pose(this.bones[0], state.before, frame, aside); this.pose(this.bones[1], state.after, frame, new Vector3())
    this.bones[0].visible = this.points[0].visible = this.shown.ghost || this.shown.apart
    const joints = about.joints.length, matrix = new Matrix4()
    ;[state.before, state.after].forEach((from, when) => {
      const curves = when ? state.curvesAfter : state.curvesBefore
      about.legs.forEach((_, leg) => [0, 1].forEach(point => {
        const [x, y, z] = this.place(from, frame, joints + 3 * leg + point)
        this.points[when].setMatrixAt(2 * leg + point, when ? matrix.makeTranslation(x, y, z) : matrix.makeTranslation(x + aside.x, y, z + aside.z))
        const at = frame * state.curveStride + 1 + about.curves_each_leg * leg
        const held = state.plants.some(p => p.leg === leg && (p.point === 'ball') === !!point && p.first <= frame && frame <= p.last)
        const name = curves[at + point] < BELOW ? 'warn' : !held ? 'ghost' : curves[at + 2 + point] > SKATES ? 'bad' : 'accent'
        this.points[when].setColorAt(2 * leg + point, colour(name))
      }))
      this.points[when].instanceMatrix.needsUpdate = true
      this.points[when].instanceColor!.needsUpdate = true
    })
    const around = Math.round(about.fps)
    this.trails.forEach(line => {
      line.visible = this.shown.trails
      const start = Math.max(0, frame - around)
      line.geometry.setDrawRange(start, Math.min(about.frames, frame + around) - start)
    })
    this.prints.forEach((print, n) => {
      const plant = state.plants[n], now = plant.first <= frame && frame <= plant.last
      ;(print.material as MeshBasicMaterial).opacity = state.chosen.has(n) ? 0.9 : now ? 0.6 : 0.2
      print.scale.setScalar(plant.point === 'heel' ? 0.85 : 1.1)
    })
    const root = new Vector3(...this.place(state.after, frame, 0))
    if (this.shown.follow) {
      const moved = root.clone().sub(this.lastRoot); moved.y = 0
      this.controls.target.add(moved); this.camera.position.add(moved)
    }
    this.lastRoot.copy(root)
    this.controls.update()
    this.needed = true
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

  look(from: 'side' | 'front' | 'top' | 'start') {
    const root = new Vector3(...this.place(state.after, Math.round(state.frame), 0)), far = 2.3 * this.size
    const { along, across } = this
    const way = { side: across.clone(), front: along.clone(), top: new Vector3(0, 1, 0).addScaledVector(along, -0.001), start: across.clone().multiplyScalar(0.9).addScaledVector(along, 0.55).add(new Vector3(0, 0.28, 0)) }[from]
    const middle = root.clone(); middle.y -= 0.1 * this.size
    this.controls.target.copy(middle)
    this.camera.position.copy(middle).addScaledVector(way.normalize(), far)
    this.lastRoot.copy(root)
    this.controls.update(); this.needed = true
  }

  png() { this.renderer.render(this.scene, this.camera); return this.canvas.toDataURL('image/png') }

  /** Footprints are grabbed before the view turns. */
  private grab() {
    const ray = new Raycaster(), at = new Vector2(), hit = new Vector3()
    let held: number | null = null
    const aim = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect()
      at.set(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2)
      ray.setFromCamera(at, this.camera)
    }
    const under = () => {
      const frame = state.frame, close = (n: number) => Math.max(state.plants[n].first - frame, frame - state.plants[n].last, 0)
      const hits = ray.intersectObjects(this.prints.filter(print => print.visible)).map(hit => hit.object.userData.plant as number)
      return hits.sort((a, b) => close(a) - close(b))[0]
    }
    this.canvas.addEventListener('pointerdown', event => {
      aim(event)
      const found = under()
      if (found === undefined || event.button) return
      held = found; this.controls.enabled = false; this.canvas.setPointerCapture(event.pointerId)
      state.chosen = new Set([found]); state.remember(); event.stopImmediatePropagation()
    }, { capture: true })
    this.canvas.addEventListener('pointermove', event => {
      aim(event)
      if (held === null) { this.canvas.style.cursor = under() === undefined ? '' : 'grab'; return }
      const spot = state.spots[held]
      const level = new Plane().setFromNormalAndCoplanarPoint(this.floor.normal, spot ? new Vector3(...spot) : new Vector3())
      if (ray.ray.intersectPlane(level, hit)) this.onSpot(held, [hit.x, hit.y, hit.z])
    })
    const release = () => { if (held !== null) { this.onSpot(held, null); held = null; this.controls.enabled = true } }
    this.canvas.addEventListener('pointerup', release); this.canvas.addEventListener('pointercancel', release)
  }

  /** Where on the screen a plant's footprint is, for tests and for keys. */
  onScreen(plant: number): [number, number] {
    this.camera.updateMatrixWorld()
    const box = this.canvas.getBoundingClientRect(), p = this.prints[plant].position.clone().project(this.camera)
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height]
  }
}
