// The command and the settings file that do the same as the page.

import { state } from '../state/state'
import type { Setting } from './setting'
import { SETTINGS } from './settings-list'

/** A setting that differs from its default, with its value in the form of the command's flags. */
interface Chosen {
  setting: Setting
  text: string
}

const all = (): Setting[] => SETTINGS.flatMap(({ settings }) => settings)

function chosen(): Chosen[] {
  return all().flatMap(setting => {
    const value = state.settings[setting.part][setting.key] as string | number | null | undefined
    return value === undefined || value === null ? [] : [{ setting, text: valueText(setting, value) }]
  })
}

/** Units that the command reads behind a number. All other numbers have none. */
const UNITS = ['s', 'm', '%']

/** A value as the command reads it: a number in the displayed unit. */
function valueText({ unit, scale = 1 }: Setting, value: string | number) {
  if (typeof value === 'string') return value
  const shown = String(Number((value / scale).toFixed(6)))
  return unit && UNITS.includes(unit) ? `${shown}${unit}` : shown
}

const quoted = (text: string) => (/^[\w./%:,+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The files that the command needs beside the motion. */
function fileFlags() {
  const { animation } = state.settings.file as Record<string, string | undefined>
  const { rig, floor_file } = state.settings.file as Record<string, { name: string } | undefined>
  const flags = [
    ['--animation', animation],
    ['--plants', state.plantsAreDetected ? undefined : plantsName()],
    ['--rig', rig?.name],
    ['--floor', floor_file?.name],
  ]
  return flags.flatMap(([flag, name]) => (name ? [`${flag} ${quoted(name)}`] : []))
}

/** The name under which the page saves the plants. */
export const plantsName = () => state.clip.name.replace(/\.[^.]*$/, '') + '.plants.json'

/** The command that writes the bytes that the page saves. */
export function commandLine() {
  const flags = chosen().map(({ setting, text }) => `--${setting.key.replaceAll('_', '-')} ${quoted(text)}`)
  const preset = state.settings.cleaning.preset as string | undefined
  const presets = preset === 'live' || preset === 'paper' ? [`--${preset}`] : []
  return ['surefoot clean', quoted(state.clip.name), ...fileFlags(), ...presets, ...flags].join(' ')
}

/** The settings as `surefoot.toml`; empty without any. */
export function settingsToml() {
  const line = ({ setting, text }: Chosen) => {
    const isNumber = /^-?[\d.]+$/.test(text)
    return `${setting.key.replaceAll('_', '-')} = ${isNumber ? text : JSON.stringify(text)}`
  }
  const preset = state.settings.cleaning.preset as string | undefined
  return [...(preset ? [`preset = "${preset}"`] : []), ...chosen().map(line)].join('\n')
}
