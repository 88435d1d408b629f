// The presets: settings for one purpose, applied together.

import type { Settings } from '../messages'

export const PRESETS: { name: string; help: string; cleaning: Settings['cleaning'] }[] = [
  { name: 'Default', help: 'Recommended settings', cleaning: {} },
  { name: 'Rigid', help: 'All bone lengths stay as they are', cleaning: { stretch: 0 } },
  { name: 'Live', help: 'Settings of a live stream with short look-ahead', cleaning: { preset: 'live' } },
  { name: 'Paper', help: 'The method as published in 2002', cleaning: { preset: 'paper' } },
]
