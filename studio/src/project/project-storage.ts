// Keeps the clips of a project in the browser's database, so that they are there again after a reload.

import { readStored, storeValues } from '../state/storage'
import type { ProjectClip } from './project'

const LIST = 'project'
const keyOf = (name: string) => `clip ${name}`

/** Stores the list of clips, and the file and the work of those that have changed. */
export function storeProject(clips: ProjectClip[], changed: ProjectClip[]) {
  const names = clips.map(({ name }) => name)
  return storeValues([
    [LIST, names],
    ...changed.map(({ name, file, work }) => [keyOf(name), { name, file, work }] as [string, unknown]),
  ])
}

/** The stored clips; none if there is no project. */
export async function recallProject(): Promise<ProjectClip[]> {
  const names = await readStored<string[]>(LIST)
  const clips = await Promise.all((names ?? []).map(name => readStored<ProjectClip>(keyOf(name))))
  return clips.filter(clip => clip !== undefined)
}
