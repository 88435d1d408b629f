// The messages between the page and the WebAssembly core, as JSON. The field names are those of
// crates/surefoot-studio; the two sides change together.

/** A position, offset or velocity: x, y, z. World space, metres and Y up unless stated otherwise. */
export type Vec3 = [number, number, number]

/** The points of a foot that a plant can hold. */
export type PlantPoint = 'heel' | 'ball' | 'toe'

/** What a plant holds: the whole point, a point that the foot turns about, only its height, only its place on the ground. */
export type PlantHold = 'full' | 'pivot' | 'height' | 'ground'

/** Whether a captured foot stands or slides. */
export type PlantKind = 'plant' | 'skate'

/** An interval during which one foot point is held in place. Both end frames are included. */
export interface Plant {
  /** Index into `ClipInfo.legs`. */
  leg: number
  point: PlantPoint
  first: number
  last: number
  /** Where the point is held, in metres, if the user placed it; otherwise the solver decides. */
  spot?: Vec3
  /** Detection confidence from 0 to 1; absent for plants made by hand. */
  confidence?: number
  /** Whether the captured foot stands or slides, if a person or a detector has labelled it. */
  kind?: PlantKind
  /** What the plant holds of its point; absent for all of it. */
  hold?: PlantHold
  /** Share of the correction that is applied, from 0 to 1; absent for all of it. */
  strength?: number
}

/** A foot point attached to a joint. The offset is in the joint's own space and the file's unit. */
export interface AttachedPoint {
  joint: number
  offset: Vec3
}

/** A leg as the user defines it: joints by index. A foot point that is left out is detected. */
export interface Leg {
  side: string
  hip: number
  knee: number
  ankle: number
  heel?: AttachedPoint
  ball?: AttachedPoint
  toe?: AttachedPoint
}

/** The body that is drawn. Points are numbered as in the positions of a frame. */
export interface Body {
  /** Solids with a ball at each end; radii in metres. Empty for a file without legs. */
  limbs: { ends: [number, number]; radii: [number, number] }[]
  /** Per leg: 1 where the outer side of its foot is to the left of its direction, else -1. */
  outer: number[]
  /** The outline of a sole: along the foot from 0 at the heel to 1 at the toe tip, and outwards. */
  sole: [number, number][]
  /** The point that the camera follows. */
  pelvis: number
  /** Number of points after the joints and the foot points. */
  extra: number
}

/** Description of the open file. */
export interface ClipInfo {
  name: string
  frames: number
  fps: number
  /** First frame of the performance: a T-pose at the start of the file is not part of it. */
  first: number
  joints: { name: string; parent: number | null }[]
  legs: Required<Leg>[]
  /** The legs that the user or a rig file defined; null if all legs were detected. */
  given_legs: Leg[] | null
  /** Why no legs were detected; null if there are legs. */
  no_legs: string | null
  /** The format of the file, as the command names it. */
  format: string
  /** The animations of a file that can hold several. */
  animations: { name: string; seconds: number }[]
  /** The index of the animation that was read. */
  animation: number
  /** Whether the file has a mesh that the joints move. */
  has_mesh: boolean
  unit_m: number
  unit_name: string
  up: string
  /** The floor plane as normal x, y, z and offset along the normal, in metres. */
  floor: [number, number, number, number] | null
  /** The floor surface as triangle corners: nine numbers per triangle, in metres. */
  mesh: number[] | null
  has_floor: boolean
  warnings: string[]
  body: Body
  curves_per_leg: number
  /** Defaults of the cleaning settings under the current preset. */
  defaults: Record<string, number | string>
}

/** Detected plants, or plants read from a file, and the velocity of the ground under them in m/s. */
export interface PlantSet {
  plants: Plant[]
  ground: Vec3 | null
}

/** The result of a solve. */
export interface CleanResult {
  /** The frame ranges that were solved again, each with an exclusive end. */
  ranges: [number, number][]
  /** Whether floor or ground motion changed, so that every frame has to be fetched again. */
  all_frames_changed: boolean
  /** The plants in the core's order. */
  plants: Plant[]
  /** Per plant: where it is held, in metres; null if no frame of it could be solved. */
  spots: (Vec3 | null)[]
  /** Per plant: the largest remaining distance from its spot, in metres. */
  drifts: number[]
  /** Per plant: why it is not held; null if it is. */
  reasons: (string | null)[]
}

/** Something to look at in the result. */
export interface ReviewItem {
  kind: 'introduced' | 'slides' | 'unsure' | 'note'
  frame: number | null
  text: string
}

/** Measurements of the cleaned motion, as text for display. */
export interface Figures {
  headline: string
  /** How far root, knees and bone lengths were changed. */
  cost: string | null
  /** Rows separated by newlines, columns by two or more spaces. */
  table: string
  drifts: [string | null, string | null][]
  notes: { frame: number | null; text: string }[]
  /** Everything that could be objected to, the most visible first; what belongs together is one item. */
  review: ReviewItem[]
  /** The most visible artefact that the capture does not have, with its first frame; null if there is none. */
  worst_event: { frame: number; text: string } | null
}

/** A file dropped on the page as part of the settings. JSON has no byte arrays: one character per byte. */
export interface AttachedFile {
  name: string
  bytes: string
}

/** All settings, and the content of a settings file. `file` holds the options of file and detection. */
export interface Settings {
  file: Record<string, unknown>
  cleaning: Record<string, unknown>
}

/** The files that the core can write. */
export type WritableFile = 'motion' | 'plants' | 'table' | 'rig' | 'report'

export type Request =
  | { kind: 'sample' | 'format' | 'about' | 'detect' | 'figures' | 'mesh' }
  | { kind: 'open'; name: string; file: Settings['file']; cleaning: Settings['cleaning'] }
  | { kind: 'read_plants'; name: string }
  | { kind: 'clean'; plants: Plant[]; ground: Vec3 | null }
  | { kind: 'positions' | 'bones' | 'curves'; after: boolean; start: number; end: number }
  | { kind: 'joint_offset'; joint: number; frame: number; position: Vec3 }
  | { kind: 'write'; output: WritableFile }
