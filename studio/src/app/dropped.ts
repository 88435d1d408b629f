// The files of a drop, those in dropped folders included.

/** Formats of motions. In a folder all other files are left out. */
const MOTION = /\.(bvh|fbx|glb|gltf|npy|npz)$/i

/** The motions in a folder that was chosen. */
export const motionsIn = (files: Iterable<File>) => [...files].filter(({ name }) => MOTION.test(name))

/** The dropped files, and the motions in dropped folders. */
export async function droppedFiles(data: DataTransfer | null): Promise<File[]> {
  // The list is empty as soon as the event is over, so all entries are taken at once.
  const entries = [...(data?.items ?? [])].map(item => item.webkitGetAsEntry())
  const files = [...(data?.files ?? [])]
  if (!entries.some(entry => entry?.isDirectory)) return files
  const found = await Promise.all(
    entries.filter(entry => entry !== null).map(entry => filesBelow(entry, true)),
  )
  return found.flat()
}

async function filesBelow(entry: FileSystemEntry, isDropped: boolean): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return isDropped || MOTION.test(file.name) ? [file] : []
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  // A reader returns the entries in parts, the last of which is empty.
  for (let part = await readPart(reader); part.length; part = await readPart(reader)) {
    for (const child of part) files.push(...(await filesBelow(child, false)))
  }
  return files
}

const readPart = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
