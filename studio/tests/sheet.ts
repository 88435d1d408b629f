// Sheets of small pictures: one for each size and theme, with a cell for each state of the page.
//
// A blank page of the browser scales, draws and compares them, so that no library is needed.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** Width of a cell in pixels, and its columns. Cells are small, so that the repository stays small. */
const CELL_WIDTH = 240
const COLUMNS = 6
/** Levels per colour: fewer make smaller files. */
const LEVELS = 16
/** A pixel differs if a colour differs by more than this, of 255: text and edges may be drawn a little differently. */
const PIXEL_TOLERANCE = 20
/** Share of the pixels of a cell that may differ. A button that moves or disappears changes more. */
export const CELL_TOLERANCE = 0.002

/** Draws screenshots, each scaled, into one sheet. Runs in a blank page. */
export async function makeSheet(page: Page, screenshots: Buffer[]): Promise<Buffer> {
  const url = await page.evaluate(
    async ({ pictures, cellWidth, columns, levels }) => {
      const images = await Promise.all(
        pictures.map(async data =>
          createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob()),
        ),
      )
      const [first] = images
      const cellHeight = Math.round((first!.height / first!.width) * cellWidth)
      const canvas = document.createElement('canvas')
      canvas.width = cellWidth * Math.min(columns, images.length)
      canvas.height = cellHeight * Math.ceil(images.length / columns)
      const context = canvas.getContext('2d')!
      context.imageSmoothingQuality = 'high'
      images.forEach((image, n) => {
        const [x, y] = [cellWidth * (n % columns), cellHeight * Math.floor(n / columns)]
        context.drawImage(image, x, y, cellWidth, cellHeight)
      })
      const drawing = context.getImageData(0, 0, canvas.width, canvas.height)
      const step = 255 / (levels - 1)
      drawing.data.forEach((value, n) => (drawing.data[n] = Math.round(Math.round(value / step) * step)))
      context.putImageData(drawing, 0, 0)
      return canvas.toDataURL('image/png')
    },
    {
      pictures: screenshots.map(screenshot => screenshot.toString('base64')),
      cellWidth: CELL_WIDTH,
      columns: COLUMNS,
      levels: LEVELS,
    },
  )
  return Buffer.from(url.split(',')[1]!, 'base64')
}

/** For each cell the share of pixels that differ between two sheets; null if their sizes differ. */
export function compareSheets(page: Page, kept: Buffer, present: Buffer, cells: number) {
  return page.evaluate(
    async ({ sheets, count, cellWidth, columns, tolerance }) => {
      const [a, b] = await Promise.all(
        sheets.map(async data => {
          const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
          const canvas = document.createElement('canvas')
          Object.assign(canvas, { width: image.width, height: image.height })
          const context = canvas.getContext('2d')!
          context.drawImage(image, 0, 0)
          return context.getImageData(0, 0, image.width, image.height)
        }),
      )
      if (a!.width !== b!.width || a!.height !== b!.height) return null
      const cellHeight = a!.height / Math.ceil(count / columns)
      return Array.from({ length: count }, (_, n) => {
        let different = 0
        for (let y = 0; y < cellHeight; y++) {
          for (let x = 0; x < cellWidth; x++) {
            const row = Math.floor(n / columns) * cellHeight + y
            const at = 4 * (row * a!.width + (n % columns) * cellWidth + x)
            const differs = [0, 1, 2].some(c => Math.abs(a!.data[at + c]! - b!.data[at + c]!) > tolerance)
            if (differs) different++
          }
        }
        return different / (cellWidth * cellHeight)
      })
    },
    {
      sheets: [kept, present].map(sheet => sheet.toString('base64')),
      count: cells,
      cellWidth: CELL_WIDTH,
      columns: COLUMNS,
      tolerance: PIXEL_TOLERANCE,
    },
  )
}

/** The kept sheet, which is written first if the environment has `UPDATE_EXPECT=1`. */
export function keptSheet(path: string, present: Buffer) {
  if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, present)
  assert.ok(existsSync(path), `${path} is missing: \`npm run sheets\` writes it`)
  return readFileSync(path)
}
