// What is needed for files of other formats than BVH: a script of its own, which is not part of the page's first load.

export { joinFiles } from './app/file-sets'
export { Character } from './view/character'
