import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { busyWeek, pictureFor } from '../../support/board-picture.ts'

/*
 * Compares pictures with those in `test/golden/pictures`. Writes them instead if `UPDATE_GOLDEN` is 1.
 * Other processors may draw the edges of letters differently.
 */

const directory = join(import.meta.dirname, '../../golden/pictures')

/** Largest share of pixels that may differ visibly. */
const maxShare = 0.005

/** Smallest visible difference of a channel. */
const visible = 48

const rasterOf = (file: Buffer) =>
  sharp(file).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })

/** Returns the share of pixels that differ visibly, or 1 if the sizes differ. */
async function differenceOf(file: Buffer, golden: Buffer): Promise<number> {
  const [drawn, expected] = [await rasterOf(file), await rasterOf(golden)]
  const { width, height } = drawn.info
  if (width !== expected.info.width || height !== expected.info.height) return 1
  let different = 0
  for (let at = 0; at < drawn.data.length; at += 3) {
    const isVisible = [0, 1, 2].some(
      (channel) =>
        Math.abs((drawn.data[at + channel] ?? 0) - (expected.data[at + channel] ?? 0)) >= visible,
    )
    if (isVisible) different += 1
  }
  return different / (width * height)
}

const forms = ['800x480', '758x1024'].flatMap((size) =>
  ['2', '7', '16'].map((colors) => [size, colors] as const),
)

test.for(forms)('a busy week in %s pixels with %s colors looks as expected', async (form) => {
  const [size, colors] = form
  const file = await pictureFor({ items: busyWeek, query: `size=${size}&colors=${colors}` })
  const path = join(directory, `${size}-${colors}.png`)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(directory, { recursive: true })
    writeFileSync(path, file)
  }
  expect(await differenceOf(file, readFileSync(path))).toBeLessThan(maxShare)
})

test('notices a single changed title', async () => {
  const changed = busyWeek.map((item) => ({ ...item, title: item.title.replace('Drill', 'Skill') }))
  const [file, other] = [
    await pictureFor({ items: busyWeek }),
    await pictureFor({ items: changed }),
  ]
  const share = await differenceOf(file, other)
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThan(maxShare)
})
