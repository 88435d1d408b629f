// How much of each column of pixels is planted: the level of detail for clips whose bars would be thinner than a pixel.

import type { Plant } from '../messages'

/** A range of frames on a number of columns. */
export interface Columns {
  from: number
  to: number
  count: number
}

/** For each column the share of its frames that the plants cover, from 0 to 1. */
export function coverageOf(plants: Plant[], { from, to, count }: Columns): Float32Array {
  const shares = new Float32Array(count)
  const perColumn = (to - from) / count
  for (const { first, last } of plants) {
    const start = Math.max(0, (first - from) / perColumn)
    const end = Math.min(count, (last + 1 - from) / perColumn)
    for (let column = Math.floor(start); column < end; column++) {
      shares[column] = (shares[column] ?? 0) + Math.min(end, column + 1) - Math.max(start, column)
    }
  }
  return shares
}
