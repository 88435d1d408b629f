// The bytes of a file that the user chose.

export async function bytesOf(name: string, file: Blob) {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    const why = 'the browser cannot read it. It may be too large, or it has changed or moved.'
    throw new Error(`${name}: ${why}`, { cause: error })
  }
}
