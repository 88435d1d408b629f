// Edits of the rig: which joints form a leg, and where heel, ball and toe are.

import { callForJson } from '../core'
import type { AttachedPoint, Leg, Vec3 } from '../messages'
import { state } from '../state/state'
import { type LegPoint, type LegRole, POINT_ROLES, isPointRole } from '../view/rig-handles'

/** Names for added legs: the first that is not in use. */
const SIDES = ['left', 'right', 'front left', 'front right', 'third', 'fourth']
const LEG_JOINTS = 3

/** Replaces the legs as an undoable step; null detects the legs. Plants that were edited stay. */
export function setLegs(legs: Leg[] | null) {
  const { cleaning, file } = state.settings
  const withoutLegs = { ...file }
  delete withoutLegs.legs
  return state.reopen({ cleaning, file: legs ? { ...withoutLegs, legs } : withoutLegs })
}

function editLeg(index: number, edit: (leg: Leg) => void) {
  const legs = state.editableLegs
  const leg = legs[index]
  if (!leg) throw new Error(`there is no leg ${index + 1}, only ${legs.length}`)
  edit(leg)
  return setLegs(legs)
}

/** Gives a joint a role. A foot point is placed at the joint itself. */
export function pickJoint({ leg, role }: LegRole, joint: number) {
  if (isPointRole(role)) return setPoint({ leg, role }, { joint, offset: [0, 0, 0] })
  return editLeg(leg, edited => {
    edited[role] = joint
    // Points on the old foot would be wrong: they are detected again.
    if (role === 'ankle') POINT_ROLES.forEach(point => delete edited[point])
  })
}

export function setPoint({ leg, role }: LegPoint, point: AttachedPoint) {
  return editLeg(leg, edited => (edited[role] = point))
}

/** Detects a foot point instead of using the one set by hand. */
export function resetPoint({ leg, role }: LegPoint) {
  return editLeg(leg, edited => delete edited[role])
}

/** Moves a foot point to a world position at the current frame. The point stays on its joint. */
export function movePoint({ leg, role }: LegPoint, position: Vec3) {
  const joint = state.clip.legs[leg]?.[role].joint ?? 0
  const frame = Math.round(state.frame)
  return setPoint(
    { leg, role },
    { joint, offset: callForJson<Vec3>({ kind: 'joint_offset', joint, frame, position }) },
  )
}

/** Adds a leg from the last joints of the skeleton, for the user to correct. */
export function addLeg() {
  const { joints, legs } = state.clip
  if (joints.length < LEG_JOINTS) {
    throw new Error(`a leg needs ${LEG_JOINTS} joints, but the skeleton has ${joints.length}`)
  }
  const side = SIDES.find(name => !legs.some(leg => leg.side === name)) ?? `leg ${legs.length + 1}`
  const ankle = joints.length - 1
  return setLegs([...state.editableLegs, { side, hip: ankle - 2, knee: ankle - 1, ankle }])
}

export function removeLeg(index: number) {
  return setLegs(state.editableLegs.filter((_, n) => n !== index))
}
