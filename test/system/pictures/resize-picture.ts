import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { imageLimits } from '../../../src/pictures/image-library.ts'
import { readPictureHeader } from '../../../src/pictures/picture-header.ts'
import { resizedPicture } from '../../../src/pictures/resized-picture.ts'

/*
 * Resizes the picture from the standard input for a page and a board. Prints the results, and the most
 * memory that this process has used, as JSON.
 */
imageLimits.timeoutSeconds = 60 // The memory is measured, even while the processor is busy.
const bytes = await buffer(process.stdin)
const type = readPictureHeader(bytes)?.type
const results = type === undefined ? 'refused' : await resized({ type, bytes })
const peakKib = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
process.stdout.write(JSON.stringify({ results, peakMib: Math.round(Number(peakKib) / 1024) }))

async function resized(picture: { readonly type: string; readonly bytes: Buffer }) {
  const results: string[] = []
  for (const use of ['page', 'board'] as const) {
    const result = await resizedPicture(picture, use)
    const { width, height, format } = await sharp(result.bytes).metadata()
    results.push(result === picture ? 'unchanged' : `${format} ${width}x${height}`)
  }
  return results.join(', ')
}
