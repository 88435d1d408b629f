// The settings of NumPy files, which do not state everything themselves.

import { state } from '../state/state'
import type { Setting } from './setting'

const isArrays = () => state.clip.format === 'NumPy'

const ORDERS = ['smpl-22', 'smpl-24', 'smplh-52', 'smplx-55', 'kit-21', 'h36m-17', 'coco-17', 'body-25']
const FORMS = ['wxyz', 'xyzw', 'matrix', 'axis-angle', '6d', '6d-rows', '6d-interleaved']

export const ARRAY_SETTINGS: Setting[] = [
  {
    key: 'joints',
    part: 'file',
    label: 'Joint order',
    standard: 'auto',
    choices: ['auto', ...ORDERS, 'mediapipe-33'],
    isRelevant: isArrays,
    help: 'The order of the joints in an array of positions.',
  },
  {
    key: 'rotations',
    part: 'file',
    label: 'Rotations',
    standard: 'auto',
    choices: ['auto', ...FORMS],
    isRelevant: isArrays,
    help: 'The form of the rotations in an array.',
  },
]
