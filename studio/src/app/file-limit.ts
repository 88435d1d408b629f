// Refuses a file that needs more memory than the core can have, before the file is read.

/** Most memory of the core, in bytes: 32-bit pointers reach 4 GiB, and measuring takes a part of it. */
const MOST_MEMORY = 3.6e9
/**
 * Memory for one joint in one frame, in bytes, with its text in the file and its cleaned and written copies: measured
 * with clips of 36,000 and 226,000 frames of 24 joints, which take 0.42 and 2.53 GB.
 */
const PER_JOINT_AND_FRAME = 480
/** The skeleton and the number of frames are at the start of a BVH file, in this many bytes. */
const HEAD_BYTES = 2 ** 20

/** Throws a message for the user if a file is too large to be opened. Reads only its first part. */
export async function checkSize(name: string, file: Blob) {
  const head = await file.slice(0, HEAD_BYTES).text()
  const need = neededMemory(head)
  if (need === null || need.memory <= MOST_MEMORY) return
  const hours = need.seconds / 3600
  throw new Error(
    `${name} is too large for a browser: ${need.frames} frames of ${need.joints} joints (${hours.toFixed(1)} hours) ` +
      `need about ${gigabytes(need.memory)}, but ${gigabytes(MOST_MEMORY)} is the most that a page can use. ` +
      'Cut the motion into parts and open one of them.',
  )
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** What a BVH file needs, from its head; null if the head is not that of a BVH file. */
function neededMemory(head: string) {
  const frames = Number(/^\s*Frames:\s*(\d+)/m.exec(head)?.[1] ?? NaN)
  const seconds = frames * Number(/^\s*Frame Time:\s*([\d.eE+-]+)/m.exec(head)?.[1] ?? NaN)
  const joints = head.match(/^\s*(ROOT|JOINT)\b/gm)?.length ?? 0
  if (!/^\s*HIERARCHY/.test(head) || Number.isNaN(seconds)) return null
  return { frames, joints, seconds, memory: frames * joints * PER_JOINT_AND_FRAME }
}
