// Files that belong together: an Acclaim motion and its skeleton, a glTF file with its buffers and images, arrays and
// their skeleton. The core gets them as one array of bytes, whose form is that of crates/surefoot-studio/src/file_set.rs.
//
// Part of the script that is loaded when a file is opened that is not BVH.

import { FILE_SET, formatOf } from '../core'

/** A motion with the files that belong to it, as one file. */
export interface OpenedSet {
  name: string
  file: Blob
}

/** Endings of files that are part of another file. */
const PART = /\.(bin|png|jpe?g|webp|tga|bmp|tiff?)$/i
/** The name of a file with the skeleton of arrays. */
const SKELETON = /skeleton/i
/** Bytes at the beginning of a file in which its format shows, unless it is JSON. */
const BEGINNING = 65536

interface DroppedFile {
  file: File
  /** The format of a motion; null for a part of one. */
  format: string | null
}

/** Joins the files that belong together. Throws a message for the user if there are parts without any motion. */
export async function joinFiles(files: File[]): Promise<OpenedSet[]> {
  const dropped = await Promise.all(files.map(recognise))
  const isArrays = dropped.some(({ format }) => format === 'NumPy')
  const isPart = ({ file, format }: DroppedFile) =>
    format === null || format === 'Acclaim ASF' || (isArrays && SKELETON.test(file.name))
  const parts = dropped.filter(isPart)
  const motions = dropped.filter(one => !isPart(one))
  const [alone] = parts
  if (alone && !motions.length) throw new Error(whyAlone(alone))
  return Promise.all(
    motions.map(async ({ file, format }) => {
      const beside = await partsOf(file, format, parts)
      return { name: file.name, file: beside.length ? joined(file, beside) : file }
    }),
  )
}

async function recognise(file: File): Promise<DroppedFile> {
  if (PART.test(file.name)) return { file, format: null }
  const start = new Uint8Array(await file.slice(0, BEGINNING).arrayBuffer())
  // The property by which glTF is recognised can be anywhere in its text.
  const isJson = new TextDecoder().decode(start).trimStart().startsWith('{')
  return { file, format: formatOf(isJson ? new Uint8Array(await file.arrayBuffer()) : start) }
}

/** The parts that a motion refers to. */
async function partsOf(motion: File, format: string | null, parts: DroppedFile[]) {
  if (format === 'Acclaim AMC') return files(parts.filter(part => part.format === 'Acclaim ASF'))
  if (format === 'NumPy') return files(parts.filter(({ file }) => SKELETON.test(file.name)))
  const candidates = files(parts.filter(part => part.format === null))
  if (!candidates.length || (format !== 'glTF' && format !== 'FBX')) return []
  const text = new TextDecoder('latin1').decode(await motion.arrayBuffer()).toLowerCase()
  const names = ({ name }: File) => [name, encodeURI(name), latin1(name)]
  return candidates.filter(part => names(part).some(name => text.includes(name.toLowerCase())))
}

const files = (list: DroppedFile[]) => list.map(({ file }) => file)

/** The UTF-8 text of a name, with one character per byte. */
const latin1 = (name: string) => String.fromCharCode(...new TextEncoder().encode(name))

function whyAlone({ file, format }: DroppedFile) {
  return format === 'Acclaim ASF'
    ? `${file.name} is the skeleton of an Acclaim motion: drop it together with its .amc file.`
    : `${file.name} is part of another file: drop it together with the motion that uses it.`
}

/** The motion and its parts as one file, behind a line with their names and sizes. Reads none of them. */
function joined(motion: File, beside: File[]) {
  const entries = beside.map(({ name, size }) => ({ name, bytes: size }))
  return new Blob([
    `${FILE_SET}${JSON.stringify({ motion: motion.size, beside: entries })}\n`,
    motion,
    ...beside,
  ])
}
