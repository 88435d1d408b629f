// The settings, each with its unit, its default and a sentence.

import { make } from './panels'
import { Settings, state } from './state'

type Setting = {
  key: string; part: 'how' | 'told'; name: string; unit?: string; says: string; usual?: string; choices?: string[]; scale?: number
  /** Words of the command are words here. */
  words?: boolean
  /** Whether it has something to say now. */
  when?: () => boolean
}
const floorFile = () => (state.settings.told.floor_file as { name: string } | undefined)?.name ?? ''
const isImage = () => floorFile().toLowerCase().endsWith('.pgm')
const by = (...methods: string[]) => () => methods.includes(String(state.settings.told.method ?? 'learned'))
const SETTINGS: (Setting | string)[] = [
  'Cleaning',
  { key: 'stretch', part: 'how', name: 'Stretch limit', unit: '%', scale: 0.01, says: 'The most that thigh and shin may be stretched or shrunk. 0 is rigid: bones keep their length.' },
  { key: 'roll', part: 'how', name: 'Foot roll', usual: 'kept', choices: ['kept', 'flat'], says: 'A foot held at heel and ball keeps its roll, or is laid flat on the floor.' },
  { key: 'spots', part: 'how', name: 'Spot window', unit: 's', says: 'How much of a plant its spot is the mean of; ∞ is all of it.' },
  { key: 'blend', part: 'how', name: 'Blend', unit: 's', says: 'How far corrections fade into the frames around a plant.' },
  { key: 'root', part: 'how', name: 'Root window', unit: 's', says: "Half the width over which the root's correction is smoothed." },
  { key: 'knee', part: 'how', name: 'Knee window', unit: 's', says: "Half the width over which the knee's correction is smoothed." },
  { key: 'ankles', part: 'how', name: 'Ankle window', unit: 's', says: "How far a planted foot's added turn fades into frames with one point held." },
  { key: 'snap', part: 'how', name: 'Snap', unit: 'm', says: 'A plant within this height of the floor is put on it; others keep their own.' },
  'Finding plants',
  { key: 'method', part: 'told', name: 'Method', usual: 'learned', choices: ['learned', 'speed-height', 'zero-crossing'], says: 'A fitted model; low and slow; or where a point stops slowing near the ground. A change finds the plants anew.' },
  { key: 'edges', part: 'told', name: 'Edges', usual: 'rest', choices: ['rest', 'touch'], when: by('learned'), says: 'Plants last while the point rests, or as long as the foot touches, toes and all.' },
  { key: 'starts_below', part: 'told', name: 'Stands below', unit: 'legs/s', usual: '0.4', when: by('speed-height'), says: 'Slower than this a point comes to stand. Higher finds more plants in worse captures, and feet that hover.' },
  { key: 'strays', part: 'told', name: 'Strays', unit: 'legs', usual: '0.018', says: 'How far from its spot a point may be at its plant’s edges. Higher makes plants longer.' },
  { key: 'shortest_plant', part: 'told', name: 'Shortest plant', unit: 's', usual: '0.06', says: 'Plants shorter than this are dropped.' },
  'The file',
  { key: 'floor', part: 'told', name: 'Floor', usual: 'found', words: true, says: 'A height as 5cm; NX,NY,NZ,OFFSET for a tilted one; level, plants (through where they stand) or none. Or drop an .obj, .pgm or .csv file of one on the page.' },
  { key: 'floor_unit', part: 'told', name: 'Its unit', usual: "the motion's", words: true, when: () => !!floorFile() && !isImage(), says: "The unit of the floor's file: m, cm, mm, inch, ft." },
  { key: 'floor_up', part: 'told', name: 'Its up axis', usual: "the motion's", choices: ["the motion's", 'y', 'z', 'x', '-y', '-z', '-x'], when: () => !!floorFile(), says: "The axis of the floor's file that points up." },
  { key: 'floor_cell', part: 'told', name: 'Pixel', usual: 'as 5cm', words: true, when: isImage, says: 'The side of one pixel of the image.' },
  { key: 'floor_height', part: 'told', name: 'Heights', usual: 'as 0..50cm', words: true, when: isImage, says: 'The heights of black and of white.' },
  { key: 'floor_origin', part: 'told', name: 'First pixel at', usual: 'centred', words: true, when: isImage, says: 'Where the first pixel lies, as -1.5m,2m.' },
  { key: 'up', part: 'told', name: 'Up axis', usual: 'found', choices: ['found', 'y', 'z', 'x', '-y', '-z', '-x'], says: "The file's axis that points up." },
  { key: 'unit', part: 'told', name: 'Unit', usual: 'found', words: true, says: "The file's unit: m, cm, mm, inch, ft, or one unit in metres." },
  { key: 'fps', part: 'told', name: 'Frame rate', unit: '1/s', usual: 'as in file', says: 'Frames per second.' },
]
const PRESETS: Record<string, Record<string, unknown>> = { Default: {}, Rigid: { stretch: 0 }, Live: { preset: 'live' }, Paper: { preset: 'paper' } }
const round = (x: number) => (Number.isFinite(x) ? String(Number(x.toFixed(4))) : '∞')

export function settings(panel: HTMLElement, apply: (settings: Settings) => void) {
  const { how, told } = state.settings, usual = state.about!.usual, all: HTMLElement[] = []
  const presets = make('div', '', 'presets')
  for (const [name, preset] of Object.entries(PRESETS)) {
    const button = make('button', name)
    button.setAttribute('aria-pressed', String(JSON.stringify(preset) === JSON.stringify(how)))
    button.onclick = () => apply({ how: preset, told }); presets.append(button)
  }
  all.push(presets)
  for (const one of SETTINGS) {
    if (typeof one === 'string') { all.push(make('h2', one)); continue }
    if (one.when && !one.when()) continue
    const label = make('label', '', 'set'), now = state.settings[one.part][one.key], standard = one.usual ?? round((usual[one.key] ?? Infinity) / (one.scale ?? 1))
    label.append(make('span', one.name + (one.unit ? `, ${one.unit}` : '')))
    const input = document.createElement(one.choices ? 'select' : 'input') as HTMLInputElement
    for (const choice of one.choices ?? []) input.append(make('option', choice))
    input.value = now === undefined || now === null ? (one.choices ? standard : '') : one.scale ? round(Number(now) / one.scale) : String(now)
    input.placeholder = standard; input.id = 'set-' + one.key
    input.onchange = () => {
      const part = { ...state.settings[one.part] }, said = input.value.trim(), number = Number(said.replace(',', '.'))
      if (said === '' || said === standard) delete part[one.key]
      else if (one.choices || one.words) part[one.key] = said
      else if (Number.isFinite(number)) part[one.key] = number * (one.scale ?? 1)
      else { input.setCustomValidity(`${said} is no number`); input.reportValidity(); return }
      // A word for the floor goes before its file.
      if (one.key === 'floor' && said) delete part.floor_file
      apply(one.part === 'how' ? { how: part, told } : { how, told: part })
    }
    input.oninput = () => input.setCustomValidity('')
    label.append(input, make('small', one.says + (one.choices ? '' : ` Default: ${standard}.`))); all.push(label)
    if (one.key === 'floor' && floorFile()) all.push(file(floorFile(), ['floor_file', 'floor_unit', 'floor_up', 'floor_cell', 'floor_height', 'floor_origin'], apply))
  }
  const rig = (told.rig as { name: string } | undefined)?.name
  if (rig) all.push(file(rig, ['rig'], apply))
  panel.replaceChildren(...all)
}

/** A file that a setting came from, and a way to let go of it. */
function file(name: string, keys: string[], apply: (settings: Settings) => void) {
  const row = make('p', '', 'file'), button = make('button', 'Let go')
  button.onclick = () => {
    const told = { ...state.settings.told }
    keys.forEach(key => delete told[key])
    apply({ how: state.settings.how, told })
  }
  row.append(make('span', name), button)
  return row
}
