// What only files of other formats than BVH need: a script of its own, which is loaded together with the full module.

import { bindAnimations, showFileContents } from './app/file-contents'
import { ARRAY_SETTINGS } from './panels/array-settings'
import { FILE } from './panels/settings-list'
import { state } from './state/state'

export { joinFiles } from './app/file-sets'
export { Character } from './view/character'

FILE.push(...ARRAY_SETTINGS)
bindAnimations()
state.subscribe(showFileContents)
