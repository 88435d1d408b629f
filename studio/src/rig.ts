// The rig by hand: which joints are a leg's, and where its heel, ball and toe are.

import { Leg, PointOn, Three, asJson, ask } from './core'
import { JOINTS, POINTS, Role } from './handles'
import { make } from './panels'
import { state } from './state'
import type { View } from './view'

/** Changes the legs; undo takes it back. Without legs, they are found. */
export function give(legs: Leg[] | null) {
  const { how, told: { legs: _, ...told } } = state.settings
  // Plants that a person touched stay with their legs; a leg that is new has none.
  state.reopen({ how, told: legs ? { ...told, legs } : told })
}
function change(n: number, by: (leg: Leg) => void) { const legs = state.legs; by(legs[n]); give(legs) }
/** Fills a role with a joint. A point goes to where the joint is. */
export function pick(n: number, role: Role, joint: number) {
  change(n, leg => {
    if (POINTS.includes(role)) { leg[role as 'heel'] = { joint, offset: [0, 0, 0] }; return }
    leg[role as 'hip'] = joint
    // Points that hang on another foot are found anew.
    if (role === 'ankle') POINTS.forEach(point => delete leg[point as 'heel'])
  })
}
/** Moves a point of a foot to a place; it stays on its joint. */
export function move(n: number, role: Role, place: Three) {
  const { joint } = state.about!.legs[n][role as 'heel']
  const offset = asJson<Three>(ask({ ask: 'point_on', joint, frame: Math.round(state.frame), place }))
  change(n, leg => { leg[role as 'heel'] = { joint, offset } })
}

export function rig(panel: HTMLElement, view: View, attempt: (work: () => void) => void) {
  const about = state.about!, given = about.given_legs, { handles } = view, all: HTMLElement[] = []
  all.push(make('p', about.no_legs ?? 'Press “pick” and click a joint in the view, or choose it by name. Drag the yellow points to where heel, ball and toe tip are.', about.no_legs ? 'headline' : 'price'))
  const arm = (leg: number, role: Role) => {
    const same = handles.armed && handles.armed[0] === leg && handles.armed[1] === role
    handles.armed = same ? null : [leg, role]; rig(panel, view, attempt)
  }
  about.legs.forEach((leg, n) => {
    const box = make('fieldset', '', 'leg'), head = make('legend', `${leg.side} leg`)
    head.className = n % 2 ? 'right' : 'left'; box.append(head)
    for (const role of [...JOINTS, ...POINTS]) {
      const point = POINTS.includes(role) ? leg[role as 'heel'] : null, joint = point ? point.joint : leg[role as 'hip']
      const row = make('div', '', 'role'), name = `${leg.side} ${role}`
      const select = make<HTMLSelectElement>('select')
      select.setAttribute('aria-label', `${name}: joint`)
      about.joints.forEach((j, m) => { const option = make<HTMLOptionElement>('option', j.name || `joint ${m}`); option.value = String(m); select.append(option) })
      select.value = String(joint)
      select.onchange = () => attempt(() => pick(n, role, Number(select.value)))
      const aim = make('button', 'pick', 'aim')
      aim.setAttribute('aria-label', `Pick the ${name} in the view`); aim.title = 'Pick it in the view'
      aim.setAttribute('aria-pressed', String(handles.armed?.[0] === n && handles.armed[1] === role)); aim.dataset.aim = `${n} ${role}`
      aim.onclick = () => arm(n, role)
      row.append(make('span', role), select, aim); box.append(row)
      if (point) box.append(offset(n, role, point, !!given?.[n]?.[role as 'heel'], attempt))
    }
    const remove = make('button', 'Remove this leg'); remove.onclick = () => attempt(() => give(state.legs.filter((_, m) => m !== n)))
    if (about.legs.length > 1) box.append(remove)
    all.push(box)
  })
  const foot = make('div', '', 'presets'), add = make('button', 'Add a leg'), found = make<HTMLButtonElement>('button', 'Found by surefoot')
  add.onclick = () => attempt(() => {
    const last = about.joints.length - 1, sides = ['left', 'right', 'front left', 'front right', 'third', 'fourth'].filter(side => !about.legs.some(leg => leg.side === side))
    if (last < 2) throw new Error('a leg needs three joints')
    give([...state.legs, { side: sides[0] ?? `leg ${about.legs.length + 1}`, hip: last - 2, knee: last - 1, ankle: last }])
  })
  found.disabled = !state.settings.told.legs; found.title = 'Let go of what was changed by hand'; found.onclick = () => attempt(() => give(null))
  foot.append(add, found); all.push(foot)
  panel.replaceChildren(...all)
}

/** Where a point is on its joint, in the file's unit; for keys, and to the digit. */
function offset(n: number, role: Role, point: PointOn, isGiven: boolean, attempt: (work: () => void) => void) {
  const row = make('div', '', 'offset')
  point.offset.forEach((number, axis) => {
    const input = make<HTMLInputElement>('input')
    input.type = 'number'; input.step = 'any'; input.value = String(Number(number.toFixed(3)))
    input.setAttribute('aria-label', `${state.about!.legs[n].side} ${role}: ${'xyz'[axis]} on its joint, in the file's unit`)
    input.onchange = () => attempt(() => {
      const to = [...point.offset] as Three
      to[axis] = Number(input.value)
      change(n, leg => { leg[role as 'heel'] = { joint: point.joint, offset: to } })
    })
    row.append(input)
  })
  const found = make<HTMLButtonElement>('button', isGiven ? 'find' : 'found')
  found.disabled = !isGiven; found.title = isGiven ? 'Let surefoot find it' : 'Found by surefoot'
  found.onclick = () => attempt(() => change(n, leg => { delete leg[role as 'heel'] }))
  row.append(found)
  return row
}
