// The rig panel: the joints of each leg, and the offsets of heel, ball and toe.

import { make } from '../dom'
import type { AttachedPoint, Leg, Vec3 } from '../messages'
import { state } from '../state/state'
import {
  JOINT_ROLES,
  type LegPoint,
  type LegRole,
  POINT_ROLES,
  type RigHandles,
  isPointRole,
  jointOf,
} from '../view/rig-handles'
import { addLeg, pickJoint, removeLeg, resetPoint, setLegs, setPoint } from './rig-edits'

/** Runs an edit of the rig and shows its error, if it has one. */
type Attempt = (edit: () => void | Promise<void>) => void

const HELP =
  'Press “pick” and click a joint in the view, or choose it from the list. Drag the yellow points to the ' +
  'heel, the ball and the tip of the toes.'

export function showRigPanel(panel: HTMLElement, handles: RigHandles, attempt: Attempt) {
  const { legs, no_legs } = state.clip
  const redraw = () => showRigPanel(panel, handles, attempt)
  panel.replaceChildren(
    make('p', no_legs ?? HELP, no_legs ? 'headline' : 'remark'),
    ...legs.map((leg, n) => makeLeg(leg, n, handles, attempt, redraw)),
    makeButtons(attempt),
  )
}

function makeLeg(
  leg: Required<Leg>,
  index: number,
  handles: RigHandles,
  attempt: Attempt,
  redraw: () => void,
) {
  const { legs, given_legs } = state.clip
  const box = make('fieldset', '', 'leg')
  box.append(make('legend', `${leg.side} leg`, index % 2 ? 'right' : 'left'))
  for (const role of [...JOINT_ROLES, ...POINT_ROLES]) {
    const row = make('div', '', 'role')
    const target = { leg: index, role }
    row.append(make('span', role), makeJointList(target, attempt), makePickButton(target, handles, redraw))
    box.append(row)
    if (!isPointRole(role)) continue
    const isSetByHand = given_legs?.[index]?.[role] !== undefined
    box.append(makeOffset({ leg: index, role }, leg[role], isSetByHand, attempt))
  }
  if (legs.length > 1) {
    const remove = make('button', 'Remove this leg')
    remove.onclick = () => attempt(() => removeLeg(index))
    box.append(remove)
  }
  return box
}

const nameOf = ({ leg, role }: LegRole) => `${state.clip.legs[leg]?.side} ${role}`

/** A list of all joints, for choosing one without the view. */
function makeJointList(target: LegRole, attempt: Attempt) {
  const select = make('select')
  select.setAttribute('aria-label', `${nameOf(target)}: joint`)
  state.clip.joints.forEach((_, joint) => {
    const option = make('option', state.jointName(joint))
    option.value = String(joint)
    select.append(option)
  })
  const leg = state.clip.legs[target.leg]
  if (leg) select.value = String(jointOf(leg, target.role))
  select.onchange = () => attempt(() => pickJoint(target, Number(select.value)))
  return select
}

/** A button after which the next click in the view picks the joint. */
function makePickButton(target: LegRole, handles: RigHandles, redraw: () => void) {
  const isPicking = handles.picking?.leg === target.leg && handles.picking.role === target.role
  const button = make('button', 'pick', 'aim')
  button.setAttribute('aria-label', `Pick the ${nameOf(target)} in the view`)
  button.title = 'Pick in the view'
  button.setAttribute('aria-pressed', String(isPicking))
  button.dataset.aim = `${target.leg} ${target.role}`
  button.onclick = () => {
    handles.picking = isPicking ? null : target
    redraw()
  }
  return button
}

/** Inputs for the offset of a point from its joint, and a button that detects it again. */
function makeOffset(target: LegPoint, point: AttachedPoint, isSetByHand: boolean, attempt: Attempt) {
  const row = make('div', '', 'offset')
  for (const [axis, name] of ['x', 'y', 'z'].entries()) {
    const input = make('input')
    input.type = 'number'
    input.step = 'any'
    input.value = String(Number(point.offset[axis]?.toFixed(3)))
    input.setAttribute('aria-label', `${nameOf(target)}: ${name} offset from its joint, in the file's unit`)
    input.onchange = () =>
      attempt(() => {
        const offset: Vec3 = [...point.offset]
        offset[axis] = Number(input.value)
        return setPoint(target, { joint: point.joint, offset })
      })
    row.append(input)
  }
  const reset = make('button', isSetByHand ? 'reset' : 'auto')
  reset.disabled = !isSetByHand
  reset.title = isSetByHand ? 'Detect this point again' : 'Detected from the skeleton'
  reset.onclick = () => attempt(() => resetPoint(target))
  row.append(reset)
  return row
}

function makeButtons(attempt: Attempt) {
  const buttons = make('div', '', 'presets')
  const add = make('button', 'Add a leg')
  add.onclick = () => attempt(addLeg)
  const detect = make('button', 'Detect legs')
  detect.disabled = !state.settings.file.legs
  detect.title = 'Discard the changes made by hand and detect the legs'
  detect.onclick = () => attempt(() => setLegs(null))
  buttons.append(add, detect)
  return buttons
}
