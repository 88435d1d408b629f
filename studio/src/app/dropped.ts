// The files of a drop, those in dropped folders included.

/** Motions, and files that belong to motions. In a folder all other files are left out. */
const MOTION = /\.(amc|bvh|fbx|glb|gltf|npy|npz|vrm)$/i
const PART = /\.(asf|bin|bmp|jpe?g|png|tga|webp)$/i

/** The motions in a folder that was chosen, with the files that belong to them; none if there is no motion. */
export function motionsIn(files: Iterable<File>) {
  const all = [...files].filter(({ name }) => MOTION.test(name) || PART.test(name))
  return all.some(({ name }) => MOTION.test(name)) ? all : []
}

/** The dropped files, and the motions in dropped folders. */
export async function droppedFiles(data: DataTransfer | null): Promise<File[]> {
  // The list is empty as soon as the event is over, so all entries are taken at once.
  const entries = [...(data?.items ?? [])].map(item => item.webkitGetAsEntry())
  const files = [...(data?.files ?? [])]
  if (!entries.some(entry => entry?.isDirectory)) return files
  const found = await Promise.all(
    entries.filter(entry => entry !== null).map(entry => filesBelow(entry, true)),
  )
  const dropped = found.flat()
  return dropped.some(({ name }) => MOTION.test(name))
    ? dropped
    : dropped.filter(({ name }) => !PART.test(name))
}

async function filesBelow(entry: FileSystemEntry, isDropped: boolean): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return isDropped || MOTION.test(file.name) || PART.test(file.name) ? [file] : []
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
