// What needs a look in a clip that is not open: opened, cleaned and measured in the worker.

import type { BackgroundCore } from '../background-core'
import type { ClipInfo, Figures, PlantSet, ReviewItem } from '../messages'
import type { FileToOpen } from '../state/opened-file'
import { fittingPlants } from '../state/work'

/** The number of items of a review, by their kind. */
export type ClipReview = Record<ReviewItem['kind'], number>

export function countItems(items: ReviewItem[]): ClipReview {
  const count = (kind: ReviewItem['kind']) => items.filter(item => item.kind === kind).length
  return {
    introduced: count('introduced'),
    slides: count('slides'),
    unsure: count('unsure'),
    note: count('note'),
  }
}

/** Compares two reviews: the one that needs a look more urgently comes first. Notes need none. */
export function compareReviews(a: ClipReview, b: ClipReview) {
  return b.introduced - a.introduced || b.slides - a.slides || b.unsure - a.unsure
}

/** A review in words. */
export function reviewText({ introduced, slides, unsure }: ClipReview) {
  const parts = [
    introduced ? `${introduced} introduced` : '',
    slides ? `${slides} sliding` : '',
    unsure ? `${unsure} to check` : '',
  ].filter(Boolean)
  return parts.length ? parts.join(', ') : 'nothing to look at'
}

/** Brings the core of the worker to the session of a clip. Throws a message for the user if that is not possible. */
async function openAndClean(core: BackgroundCore, { name, bytes, settings, work }: FileToOpen) {
  const clip = await core.callForJson<ClipInfo>({ kind: 'open', name, ...settings }, bytes)
  const given = work?.plants && { plants: fittingPlants(work.plants, clip.legs.length, clip.frames) }
  const { plants, ground } = given
    ? { ...given, ground: work.ground ?? null }
    : await core.callForJson<PlantSet>({ kind: 'detect' })
  await core.call({ kind: 'clean', plants, ground })
}

/** Opens, cleans and measures a clip in the worker. */
export async function reviewIn(core: BackgroundCore, file: FileToOpen): Promise<ClipReview> {
  await openAndClean(core, file)
  return countItems((await core.callForJson<Figures>({ kind: 'figures' })).review)
}

/** The cleaned motion of a clip, from the worker. */
export async function cleanedIn(core: BackgroundCore, file: FileToOpen) {
  await openAndClean(core, file)
  return core.call({ kind: 'write', output: 'motion' })
}
