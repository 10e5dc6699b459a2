import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { isLogo, renderIcon, renderPreview } from '../../src/pictures/icon-drawing.ts'

const content = {
  initials: 'CH',
  name: 'Cedar Hollow Volunteer Fire Department',
  place: 'Cedar Hollow, NY',
  color: '#b3261e',
  onColor: '#ffffff',
  logo: undefined,
}
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h40v20H0z" fill="#00f"/></svg>',
)
const jpeg = readFileSync(
  resolve(import.meta.dirname, '../../src/sandbox/sample/files/engine-1.jpg'),
)
const icon = { size: 64, logoShare: 0.8, isOpaque: true }

function readPng(bytes: Buffer | undefined) {
  const { width, height, data } = PNG.sync.read(bytes ?? Buffer.alloc(0))
  const colorAt = (x: number, y: number) =>
    data.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 4)
  return {
    size: [width, height],
    corner: colorAt(0, 0),
    center: colorAt(width / 2, height / 2),
    data,
  }
}

test('draws the initials on the site’s color', async () => {
  const { size, corner, data } = readPng(await renderIcon(content, icon))
  expect([size, corner]).toEqual([[64, 64], 'b3261eff'])
  expect(data.includes(Buffer.from('ffffffff', 'hex'))).toBe(true)
})

test.for([
  ['an opaque icon', true, 'ffffffff'],
  ['a transparent icon', false, '00000000'],
] as const)('fits a wide logo into %s', async ([, isOpaque, corner]) => {
  const drawn = await renderIcon({ ...content, logo: svg }, { ...icon, isOpaque })
  expect(readPng(drawn)).toMatchObject({ size: [64, 64], corner, center: '0000ffff' })
})

test('draws a photo as a logo', async () => {
  expect(isLogo(jpeg)).toBe(true)
  expect(readPng(await renderIcon({ ...content, logo: jpeg }, icon)).size).toEqual([64, 64])
})

test.for([
  ['a long name', { name: 'Volunteer Ambulance Corps & <b>Rescue</b> Squad '.repeat(10) }],
  ['a name without spaces', { name: 'x'.repeat(300) }],
  ['a script that the font does not have', { name: '消防団', initials: '消', place: '東京' }],
  ['no initials', { initials: '', place: undefined }],
] as const)('draws a link preview for %s, small enough for every messenger', async ([, other]) => {
  const drawn = await renderPreview({ ...content, ...other })
  expect(readPng(drawn)).toMatchObject({ size: [1200, 630], corner: 'b3261eff' })
  expect(drawn?.length).toBeLessThan(300_000)
})

test('draws the same bytes for the same content', async () => {
  expect(await renderPreview(content)).toEqual(await renderPreview(content))
})

test('recognizes files that cannot be a logo', async () => {
  const files = ['<html><svg></svg></html>', '', 'MZ', '\x89PNG\r\n\x1a\n']
  expect(files.map((file) => isLogo(Buffer.from(file, 'latin1')))).toEqual(files.map(() => false))
  const broken = Buffer.concat([jpeg.subarray(0, 400), Buffer.alloc(200)])
  expect(await renderIcon({ ...content, logo: broken }, icon)).toBeUndefined()
})

test.for(['<svg viewBox="0 0 1 1">', '\uFEFF<?xml version="1.0"?>\n<!-- a --><svg>'])(
  'recognizes SVG: %s',
  (text) => {
    expect(isLogo(Buffer.from(text))).toBe(true)
  },
)
