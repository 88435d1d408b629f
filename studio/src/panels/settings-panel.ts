// The settings panel.

import { make } from '../dom'
import type { AttachedFile, Settings } from '../messages'
import { state } from '../state/state'
import { commandLine, plantsName, settingsToml } from './command-line'
import { PRESETS } from './presets'
import type { Setting } from './setting'
import { FLOOR_FILE_KEYS, SETTINGS, floorFileName } from './settings-list'

/** Applies settings as an undoable step. */
type Apply = (settings: Settings) => void

/** A number for display. */
const format = (value: number) => String(Number(value.toFixed(4)))

export function showSettingsPanel(panel: HTMLElement, apply: Apply) {
  const parts: HTMLElement[] = [makePresets(apply)]
  for (const { heading, settings } of SETTINGS) {
    parts.push(make('h2', heading))
    for (const setting of settings) {
      if (setting.isRelevant && !setting.isRelevant()) continue
      parts.push(makeSetting(setting, apply))
      if (setting.key === 'floor' && floorFileName()) {
        parts.push(makeFileRow(floorFileName(), FLOOR_FILE_KEYS, apply))
      }
    }
  }
  const rig = state.settings.file.rig as AttachedFile | undefined
  if (rig) parts.push(makeFileRow(rig.name, ['rig'], apply))
  parts.push(...makeEquivalents())
  panel.replaceChildren(...parts)
}

/** The command and the settings file that do the same, to copy. */
function makeEquivalents(): HTMLElement[] {
  const toml = settingsToml()
  const command = makeCopyable('command', commandLine())
  const hint = state.plantsAreDetected
    ? ''
    : `It reads the plants of this page: save them as ${plantsName()}.`
  return [
    make('h2', 'The same as a command'),
    command,
    ...(hint ? [make('p', hint, 'remark')] : []),
    make('h2', 'surefoot.toml'),
    ...(toml ? [makeCopyable('toml', toml)] : [make('p', 'All settings have their defaults.', 'remark')]),
  ]
}

function makeCopyable(name: string, text: string) {
  const box = make('div', '', 'copyable')
  const button = make('button', 'Copy')
  button.setAttribute('aria-label', `Copy the ${name}`)
  button.onclick = () => {
    void navigator.clipboard.writeText(text).then(() => (button.textContent = 'Copied'))
  }
  const code = make('pre', text)
  code.id = `same-${name}`
  box.append(code, button)
  return box
}

function makePresets(apply: Apply) {
  const row = make('div', '', 'presets')
  for (const { name, help, cleaning } of PRESETS) {
    const button = make('button', name)
    button.title = help
    button.setAttribute(
      'aria-pressed',
      String(JSON.stringify(cleaning) === JSON.stringify(state.settings.cleaning)),
    )
    button.onclick = () => apply({ cleaning, file: state.settings.file })
    row.append(button)
  }
  return row
}

/** The text of a setting that is not set. */
function standardOf({ key, standard, scale = 1 }: Setting) {
  const value = state.clip.defaults[key] ?? ''
  return standard ?? (typeof value === 'string' ? value : format(value / scale))
}

/** The text of the setting's current value; empty if it is not set. */
function valueOf({ key, part, scale }: Setting) {
  const value = state.settings[part][key] as string | number | null | undefined
  if (value === undefined || value === null) return ''
  return scale && typeof value !== 'string' ? format(Number(value) / scale) : String(value)
}

function makeSetting(setting: Setting, apply: Apply) {
  const { label, unit, help, choices } = setting
  const standard = standardOf(setting)
  const row = make('label', '', 'set')
  const input = choices ? make('select') : make('input')
  input.append(...(choices ?? []).map(choice => make('option', choice)))
  input.id = 'set-' + setting.key
  if (input instanceof HTMLInputElement) input.placeholder = standard
  input.value = valueOf(setting) || (choices ? standard : '')
  input.oninput = () => input.setCustomValidity('')
  input.onchange = () => changeSetting(setting, input, apply)
  const explanation = choices ? help : `${help} Default: ${standard}.`
  row.append(make('span', unit ? `${label}, ${unit}` : label), input, make('small', explanation))
  return row
}

function changeSetting(setting: Setting, input: HTMLInputElement | HTMLSelectElement, apply: Apply) {
  const { key, part, choices, words, isText, scale = 1 } = setting
  const values = { ...state.settings[part] }
  const text = input.value.trim()
  const number = Number(text.replace(',', '.'))
  if (text === '' || text === standardOf(setting)) delete values[key]
  else if (choices || isText || words?.includes(text)) values[key] = text
  else if (Number.isFinite(number)) values[key] = number * scale
  else {
    input.setCustomValidity(`“${text}” is not a number`)
    input.reportValidity()
    return
  }
  // A typed floor replaces a floor file.
  if (key === 'floor' && text) delete values.floor_file
  apply({ ...state.settings, [part]: values })
}

/** A file that is part of the settings, with a button that removes it. */
function makeFileRow(name: string, keys: string[], apply: Apply) {
  const row = make('p', '', 'file')
  const remove = make('button', 'Remove')
  remove.onclick = () => {
    const file = Object.fromEntries(
      Object.entries(state.settings.file).filter(([key]) => !keys.includes(key)),
    )
    apply({ cleaning: state.settings.cleaning, file })
  }
  row.append(make('span', name), remove)
  return row
}
