// The panels at the side: figures, notes, settings.

import { state } from './state'

const make = (tag: string, text = '', className = '') => { const e = document.createElement(tag); e.textContent = text; e.className = className; return e }

export function figures(panel: HTMLElement) {
  panel.replaceChildren()
  const found = state.figures
  if (!found) { panel.append(make('p', 'Measuring the clean file…', 'price')); return }
  panel.append(make('p', found.headline, 'headline'))
  if (found.price) panel.append(make('p', found.price, 'price'))
  const table = make('table'), lines = found.table.split('\n')
  for (const line of lines) {
    const cells = line.trim().split(/\s{2,}/)
    if (cells.length < 2) { if (line.trim()) { const row = make('tr'), cell = make('th', line.trim()); cell.setAttribute('colspan', '4'); (cell as HTMLElement).style.textAlign = 'left'; row.append(cell); table.append(row) } continue }
    const row = make('tr'), head = cells.some(cell => cell === 'after' || cell === 'before')
    cells.forEach((cell, n) => row.append(make(head ? 'th' : 'td', cell, n === 1 ? 'was' : '')))
    if (head) row.prepend(make('th'))
    table.append(row)
  }
  panel.append(table)
}

export function notes(panel: HTMLElement, jump: (frame: number) => void) {
  panel.replaceChildren()
  const about = state.about, list = make('ul', '', 'notes')
  for (const note of state.figures?.notes ?? []) {
    const item = make('li'), button = make('button', note.said)
    button.onclick = () => jump(note.frame); item.append(button); list.append(item)
  }
  for (const warning of about?.warnings ?? []) list.append(make('li', warning, 'price'))
  if (!list.children.length) list.append(make('li', 'Nothing to tell: every plant is held.', 'price'))
  panel.append(list)
}

type Setting = { key: string; part: 'how' | 'told'; name: string; unit: string; says: string; usual: string; choices?: string[]; scale?: number }
const SETTINGS: (Setting | string)[] = [
  'Cleaning',
  { key: 'stretch', part: 'how', name: 'Stretch limit', unit: '%', usual: '3', scale: 0.01, says: 'The most that thigh and shin may be stretched or shrunk. 0 is rigid: bones keep their length.' },
  { key: 'roll', part: 'how', name: 'Foot roll', unit: '', usual: 'kept', choices: ['kept', 'flat'], says: 'A foot held at heel and ball keeps its roll, or is laid flat on the floor.' },
  { key: 'blend', part: 'how', name: 'Blend', unit: 's', usual: '0.2', says: 'How far corrections fade into the frames around a plant.' },
  { key: 'root', part: 'how', name: 'Root window', unit: 's', usual: '0.25', says: "Half the width over which the root's correction is smoothed." },
  { key: 'knee', part: 'how', name: 'Knee window', unit: 's', usual: '0.15', says: "Half the width over which the knee's correction is smoothed." },
  { key: 'ankles', part: 'how', name: 'Ankle window', unit: 's', usual: '0.333', says: "How far a planted foot's added turn fades into frames with one point held." },
  { key: 'snap', part: 'how', name: 'Snap', unit: 'm', usual: '0.02', says: 'A plant within this height of the floor is put on it; others keep their own.' },
  { key: 'form', part: 'how', name: 'Method', unit: '', usual: 'cured', choices: ['cured', 'paper'], says: 'With the knee-pop cures, or the five phases as published in 2002.' },
  'Finding plants',
  { key: 'shortest_plant', part: 'told', name: 'Shortest plant', unit: 's', usual: '0.06', says: 'Plants shorter than this are dropped by "Find plants anew".' },
  'The file',
  { key: 'floor', part: 'told', name: 'Floor', unit: 'm', usual: 'found', says: 'A height in metres, or level, plants, none. An OBJ file dropped here is a floor too.' },
  { key: 'up', part: 'told', name: 'Up axis', unit: '', usual: 'found', choices: ['found', 'y', 'z', 'x', '-y', '-z', '-x'], says: "The file's axis that points up." },
  { key: 'unit', part: 'told', name: 'Unit', unit: 'm', usual: 'found', says: "How long one of the file's units is: 0.01 for centimetres." },
  { key: 'fps', part: 'told', name: 'Frame rate', unit: '1/s', usual: 'as in file', says: 'Frames per second.' },
]
const PRESETS: Record<string, Record<string, unknown>> = {
  Default: {}, Rigid: { stretch: 0 }, Live: { spots: 0.2, ankles: 0.2, root: 0.2, knee: 0.1, blend: 0.2 }, Paper: { form: 'paper', spots: 1 / 3 },
}

export function settings(panel: HTMLElement, apply: (how: object, told: object) => void) {
  panel.replaceChildren()
  const presets = make('div', '', 'presets')
  for (const [name, how] of Object.entries(PRESETS)) {
    const button = make('button', name); button.onclick = () => apply(how, state.settings.told); presets.append(button)
  }
  panel.append(presets)
  for (const one of SETTINGS) {
    if (typeof one === 'string') { panel.append(make('h2', one)); continue }
    const label = make('label', '', 'set'), now = state.settings[one.part][one.key]
    label.append(make('span', one.name + (one.unit ? `, ${one.unit}` : '')))
    const input = document.createElement(one.choices ? 'select' : 'input') as HTMLInputElement
    for (const choice of one.choices ?? []) { const option = make('option', choice) as HTMLOptionElement; input.append(option) }
    input.value = now === undefined ? (one.choices ? one.usual : '') : String(one.scale ? Number(now) / one.scale : now)
    input.placeholder = one.usual; input.id = 'set-' + one.key
    input.onchange = () => {
      const part = { ...state.settings[one.part] }, said = input.value.trim()
      if (said === '' || said === one.usual) delete part[one.key]
      else if (one.choices || one.key === 'floor') part[one.key] = said
      else if (Number.isFinite(Number(said))) part[one.key] = Number(said) * (one.scale ?? 1)
      else { input.value = ''; return }
      one.part === 'how' ? apply(part, state.settings.told) : apply(state.settings.how, part)
    }
    label.append(input, make('small', one.says)); panel.append(label)
  }
}
