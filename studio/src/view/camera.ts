// The camera: orbiting by hand, fixed viewpoints, and following the body.

import { PerspectiveCamera, Vector3 } from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import type { Vec3 } from '../messages'
import { state } from '../state/state'
import { floorPlane } from './floor'

/** Space around the body in the view, as a factor of its size. */
const AIR = 1.5
/** Width of the body as a fraction of its height, with arms and a step. */
const WIDTH = 0.7
/** Distance of the camera from the feet, as a multiple of the figure's height. */
const FEET_DISTANCE = 0.75
/** A path shorter than this fraction of the height has no clear direction. */
const MIN_PATH = 0.3

/** The pelvis, or the first joint of a clip without legs: a root joint may stay on the ground. */
function bodyPosition(motion: typeof state.after, frame: number): Vector3 {
  return new Vector3(...motion.position(frame, state.clip.body.pelvis))
}

/** The points that are drawn: those of the body, or all joints of a clip without legs. */
function drawnPoints(): number[] {
  const { body, joints } = state.clip
  return body.limbs.length ? body.limbs.flatMap(({ ends }) => ends) : joints.map((_, joint) => joint)
}

/** The lowest and the highest drawn point in a frame, in metres. */
export function heightRange(motion: typeof state.after, frame: number) {
  const heights = drawnPoints().map(point => motion.position(frame, point)[1])
  return { low: Math.min(...heights), high: Math.max(...heights) }
}

/** The camera and the point that it looks at, relative to the body, in metres. */
export interface CameraPlace {
  camera: Vec3
  target: Vec3
}

export type Viewpoint = 'side' | 'front' | 'top' | 'feet' | 'start'

export class Camera {
  readonly camera = new PerspectiveCamera(38, 1, 0.02, 400)
  readonly controls: OrbitControls
  /** Horizontal direction of the path, and the direction across it. */
  private forward = new Vector3()
  readonly across = new Vector3()
  /** How far the character of the file reaches above its joints, in metres. */
  headroom = 0
  private followedRoot = new Vector3()
  private size = 1

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(this.camera, canvas)
  }

  /** Adapts to the open clip. `size` is the height of the figure in metres. */
  setClip(size: number) {
    this.size = size
    const start = bodyPosition(state.before, 0)
    const end = bodyPosition(state.before, state.clip.frames - 1)
    this.forward.subVectors(end, start).setY(0)
    if (this.forward.length() < MIN_PATH * size) this.forward.set(0, 0, 1)
    this.forward.normalize()
    this.across.set(this.forward.z, 0, -this.forward.x)
  }

  setAspect(aspect: number) {
    this.camera.aspect = aspect
    this.camera.updateProjectionMatrix()
  }

  private get root() {
    return bodyPosition(state.after, Math.round(state.frame))
  }

  /** Moves camera and target horizontally with the root since the last call, if following is on. */
  follow(isOn: boolean) {
    const root = this.root
    if (isOn) {
      const moved = root.clone().sub(this.followedRoot).setY(0)
      this.controls.target.add(moved)
      this.camera.position.add(moved)
    }
    this.followedRoot.copy(root)
    this.controls.update()
  }

  look(from: Viewpoint) {
    const { root, size } = this
    const target = root.clone()
    if (from === 'feet') {
      target.addScaledVector(floorPlane.normal, 0.06 * size - floorPlane.distanceToPoint(root))
    } else {
      const { low, high } = heightRange(state.after, Math.round(state.frame))
      target.y = (low + high + this.headroom) / 2
    }
    const distance = from === 'feet' ? FEET_DISTANCE * size : this.bodyDistance()
    this.controls.target.copy(target)
    this.camera.position.copy(target).addScaledVector(this.directionOf(from), distance)
    this.followedRoot.copy(root)
    this.controls.update()
  }

  get place(): CameraPlace {
    const { root } = this
    const relative = (position: Vector3) => position.clone().sub(root).toArray()
    return { camera: relative(this.camera.position), target: relative(this.controls.target) }
  }

  set place({ camera, target }: CameraPlace) {
    const { root } = this
    this.camera.position.set(...camera).add(root)
    this.controls.target.set(...target).add(root)
    this.followedRoot.copy(root)
    this.controls.update()
  }

  /** Moves close to a foot without turning. Nearer than that the camera stays where it is. */
  lookAtFoot(leg: number) {
    const ball = state.clip.joints.length + 3 * leg + 1
    const target = new Vector3(...state.after.position(Math.round(state.frame), ball))
    const direction = this.camera.position.clone().sub(this.controls.target)
    const distance = Math.min(direction.length(), FEET_DISTANCE * this.size)
    this.controls.target.copy(target)
    this.camera.position.copy(target).addScaledVector(direction.normalize(), distance)
    this.followedRoot.copy(this.root)
    this.controls.update()
  }

  /** The distance from which the whole body fits into the view. */
  private bodyDistance() {
    const { low, high } = heightRange(state.after, Math.round(state.frame))
    const tall = Math.max(high - low + this.headroom, 0.6 * this.size)
    const half = Math.tan((Math.PI / 360) * this.camera.fov)
    return (AIR * Math.max(tall, (WIDTH * this.size) / Math.min(this.camera.aspect, 1))) / (2 * half)
  }

  /** Direction from the target to the camera. */
  private directionOf(from: Viewpoint) {
    const direction = (across: number, up: number, forward: number) =>
      new Vector3(0, up, 0)
        .addScaledVector(this.across, across)
        .addScaledVector(this.forward, forward)
        .normalize()
    switch (from) {
      case 'side':
        return direction(1, 0, 0)
      case 'front':
        return direction(0, 0, 1)
      case 'top':
        // Exactly from above the camera would have no defined heading.
        return direction(0, 1, -0.001)
      case 'feet':
        return direction(1, 0.35, 0.5)
      case 'start':
        return direction(0.9, 0.28, 0.55)
    }
  }

  /** An offset along the floor: to the right and away as seen by the camera, in metres. */
  floorOffset(right: number, away: number): Vec3 {
    const up = floorPlane.normal
    const sideways = new Vector3()
      .setFromMatrixColumn(this.camera.matrixWorld, 0)
      .projectOnPlane(up)
      .normalize()
    const forward = new Vector3().crossVectors(up, sideways)
    return sideways.multiplyScalar(right).addScaledVector(forward, away).toArray()
  }

  /** Size of a pixel at a position, in metres. */
  pixelSize(position: Vector3) {
    const halfAngle = (Math.PI / 360) * this.camera.fov
    const height = 2 * Math.tan(halfAngle) * this.camera.position.distanceTo(position)
    return height / Math.max(1, this.canvas.clientHeight)
  }

  /** Client coordinates of a position, and its depth from -1 (near) to 1 (far). */
  project(position: Vector3): [number, number, number] {
    this.camera.updateMatrixWorld()
    const { left, top, width, height } = this.canvas.getBoundingClientRect()
    const { x, y, z } = position.clone().project(this.camera)
    return [left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height, z]
  }
}
