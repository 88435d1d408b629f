// The settings, with their units, defaults and explanations.

import type { AttachedFile } from '../messages'
import { state } from '../state/state'
import type { Setting, SettingsGroup } from './setting'

/** Name of the floor file; empty if there is none. */
export const floorFileName = () => (state.settings.file.floor_file as AttachedFile | undefined)?.name ?? ''
const hasFloorFile = () => floorFileName() !== ''
const hasFloorImage = () => floorFileName().toLowerCase().endsWith('.pgm')
const usesDetector = (detector: string) => () => (state.settings.file.detector ?? 'learned') === detector

/** Everything that describes a floor file, to be removed with it. */
export const FLOOR_FILE_KEYS = [
  'floor_file',
  'floor_unit',
  'floor_up',
  'floor_cell',
  'floor_height',
  'floor_origin',
]

const AXES = ['y', 'z', 'x', '-y', '-z', '-x']

const CLEANING: Setting[] = [
  {
    key: 'stretch',
    part: 'cleaning',
    label: 'Stretch limit',
    unit: '%',
    scale: 0.01,
    words: ['auto', 'unlimited'],
    help:
      'How much thigh and shin may lengthen or shorten to reach a plant. 0 keeps all bone lengths; ' +
      'auto is 3 % for files whose joints have translations and 0 for all others.',
  },
  {
    key: 'roll',
    part: 'cleaning',
    label: 'Foot roll',
    standard: 'kept',
    choices: ['kept', 'flat'],
    help: 'While heel and ball are both planted: keep the captured foot angle, or lay the foot flat.',
  },
  {
    key: 'spot_window',
    part: 'cleaning',
    label: 'Position window',
    unit: 's',
    words: ['whole'],
    help: 'A plant is held at the average position over this much of its beginning, or over the whole plant.',
  },
  {
    key: 'blend_window',
    part: 'cleaning',
    label: 'Blend window',
    unit: 's',
    help: 'Time before and after a plant over which corrections fade in and out.',
  },
  {
    key: 'root_window',
    part: 'cleaning',
    label: 'Root smoothing',
    unit: 's',
    help: 'Time before and after each frame over which the root correction is smoothed.',
  },
  {
    key: 'knee_window',
    part: 'cleaning',
    label: 'Knee smoothing',
    unit: 's',
    help: 'Time before and after each frame over which the knee correction is smoothed.',
  },
  {
    key: 'ankle_window',
    part: 'cleaning',
    label: 'Ankle blend',
    unit: 's',
    help: 'Time over which the ankle correction fades out when only heel or ball stays planted.',
  },
  {
    key: 'repair_glitches',
    part: 'cleaning',
    label: 'Repair glitches',
    standard: 'no',
    choices: ['no', 'yes'],
    help: 'Replaces glitches, one or two frames in which the capture jumps away and back, by interpolation.',
  },
  {
    key: 'snap_distance',
    part: 'cleaning',
    label: 'Floor snap',
    unit: 'm',
    words: ['auto'],
    help:
      'Plants up to this height above the floor are moved onto it. Others keep their height. ' +
      'auto is 1 cm for a plane and 2 cm for a height field or mesh.',
  },
  {
    key: 'knee_damping_angle',
    part: 'cleaning',
    label: 'Knee damping',
    unit: '°',
    scale: Math.PI / 180,
    help: 'For the preset Paper: knee angle above which bones stretch instead of the knee.',
  },
  {
    key: 'root_weight',
    part: 'cleaning',
    label: 'Root weight',
    help: 'Weight of the acceleration of the root. Higher leaves more jitter to the knees, lower to the body.',
  },
  {
    key: 'root_cell',
    part: 'cleaning',
    label: 'Root cell',
    unit: 's',
    help: 'Root corrections are averaged over cells of this length before they are smoothed.',
  },
  {
    key: 'method',
    part: 'cleaning',
    label: 'Plants are held',
    standard: 'phases',
    choices: ['phases', 'support'],
    help:
      'phases: at their mean position. support: where the foot begins to stand, or where its skate ends, ' +
      'by the labels of the plants. support does not work with the preset Paper.',
  },
  {
    key: 'skate_speed',
    part: 'cleaning',
    label: 'Skate speed',
    unit: 'm/s',
    help: 'For support: speed above which a planted foot skates, where plants are not labelled.',
    isRelevant: () => state.settings.cleaning.method === 'support',
  },
]

const DETECTION: Setting[] = [
  {
    key: 'detector',
    part: 'file',
    label: 'Detector',
    standard: 'learned',
    choices: ['learned', 'speed-height', 'zero-crossing'],
    help:
      'Trained model; points that are low and slow; or points that stop decelerating near the ground. ' +
      'A change detects all plants again.',
  },
  {
    key: 'edges',
    part: 'file',
    label: 'Plants last while',
    standard: 'rest',
    choices: ['rest', 'touch'],
    isRelevant: usesDetector('learned'),
    help: 'The point is at rest, or any part of the foot touches the ground.',
  },
  {
    key: 'enter_speed',
    part: 'file',
    label: 'Speed limit',
    unit: 'leg lengths/s',
    standard: '0.4',
    isRelevant: usesDetector('speed-height'),
    help: 'Slower points are planted. Higher values find more plants, but also feet that hover.',
  },
  {
    key: 'exit_speed',
    part: 'file',
    label: 'Speed limit of a plant',
    unit: 'leg lengths/s',
    standard: 'twice the speed limit',
    isRelevant: usesDetector('speed-height'),
    help: 'A planted point stays planted while it is slower.',
  },
  {
    key: 'swing_speed_fraction',
    part: 'file',
    label: 'Share of the swing speed',
    standard: '0.12',
    isRelevant: usesDetector('speed-height'),
    help: 'Both speed limits are at least this share of the fastest speed of the point within 0.5 s.',
  },
  {
    key: 'max_edge_drift',
    part: 'file',
    label: 'Drift limit',
    unit: 'leg lengths',
    standard: '0.018',
    help: 'How far a point may drift at the ends of its plant. Higher values make plants longer.',
  },
  {
    key: 'min_gap',
    part: 'file',
    label: 'Shortest gap',
    unit: 's',
    standard: '0.15',
    help: 'Shorter gaps between plants are closed if the point stays near.',
  },
  {
    key: 'min_plant',
    part: 'file',
    label: 'Shortest plant',
    unit: 's',
    standard: '0.06',
    help: 'Shorter plants are dropped.',
  },
]

/** Settings of the file. The script of other formats adds those of arrays. */
export const FILE: Setting[] = [
  {
    key: 'floor',
    part: 'file',
    label: 'Floor',
    standard: 'auto',
    isText: true,
    help:
      'A height such as 5cm, a plane as NX,NY,NZ,OFFSET, level, plants (fitted to the planted feet) or ' +
      'none. Or drop a floor file (.obj, .pgm, .csv) on the page.',
  },
  {
    key: 'floor_unit',
    part: 'file',
    label: 'Floor unit',
    standard: 'as motion',
    isText: true,
    isRelevant: () => hasFloorFile() && !hasFloorImage(),
    help: 'Unit of the floor file: m, cm, mm, inch, ft.',
  },
  {
    key: 'floor_up',
    part: 'file',
    label: 'Floor up axis',
    standard: 'as motion',
    choices: ['as motion', ...AXES],
    isRelevant: hasFloorFile,
    help: 'Axis of the floor file that points up.',
  },
  {
    key: 'floor_cell',
    part: 'file',
    label: 'Pixel size',
    standard: 'as 5cm',
    isText: true,
    isRelevant: hasFloorImage,
    help: 'Side of a pixel of the floor image.',
  },
  {
    key: 'floor_height',
    part: 'file',
    label: 'Heights',
    standard: 'as 0..50cm',
    isText: true,
    isRelevant: hasFloorImage,
    help: 'Heights of black and white pixels.',
  },
  {
    key: 'floor_origin',
    part: 'file',
    label: 'First pixel',
    standard: 'centred',
    isText: true,
    isRelevant: hasFloorImage,
    help: 'Position of the first pixel, such as -1.5m,2m.',
  },
  {
    key: 'up',
    part: 'file',
    label: 'Up axis',
    standard: 'auto',
    choices: ['auto', ...AXES],
    help: 'Axis of the motion file that points up.',
  },
  {
    key: 'unit',
    part: 'file',
    label: 'Unit',
    standard: 'auto',
    isText: true,
    help: 'Unit of the motion file: m, cm, mm, inch, ft, or its length in metres.',
  },
  {
    key: 'fps',
    part: 'file',
    label: 'Frame rate',
    unit: 'fps',
    standard: 'from file',
    help: 'Frames per second.',
  },
]

export const SETTINGS: SettingsGroup[] = [
  { heading: 'Cleaning', settings: CLEANING },
  { heading: 'Detecting plants', settings: DETECTION },
  { heading: 'File', settings: FILE },
]
