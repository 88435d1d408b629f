// The description of a setting, for the panel.

import type { Settings } from '../messages'

export interface Setting {
  /** Name in the settings file. */
  key: string
  part: keyof Settings
  label: string
  unit?: string
  help: string
  /** The text of the input while the setting is not set; otherwise the core's default for the preset. */
  standard?: string
  /** Allowed values; the input is a list then. The standard is one of them. */
  choices?: string[]
  /** Words that the input accepts besides numbers. */
  words?: string[]
  /** Whether the value is text, in the form of the command's flags, instead of a number. */
  isText?: boolean
  /** Size of the displayed unit in the unit of the settings file. */
  scale?: number
  /** Whether the setting has an effect at present; always if absent. */
  isRelevant?: () => boolean
}

export interface SettingsGroup {
  heading: string
  settings: Setting[]
}
