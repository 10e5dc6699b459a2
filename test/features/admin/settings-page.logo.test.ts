import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { adminEnvironment, createAdmin, faultsIn, revisionIn } from '../../support/admin.ts'
import { fewRecords } from '../../support/few-records.ts'
import { backUp } from '../../support/merge-backup.ts'
import { startTestService, testDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Returns a PNG of one color, given as RGBA. */
function pictureOf(color: string, width = 600, height = 600) {
  const png = new PNG({ width, height })
  Buffer.alloc(width * height * 4, color, 'hex').copy(png.data)
  return new File([new Uint8Array(PNG.sync.write(png))], 'logo.png', { type: 'image/png' })
}

async function startedSite() {
  const storeFile = join(testDirectory(), 'store.sqlite')
  const storeFileIn = () => storeFile
  const service = await startTestService({
    sandbox: fewRecords,
    environment: adminEnvironment,
    storeFileIn,
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const { cookie, token, see } = await createAdmin(service.url).signIn()
  const page = () => see('/admin/settings')

  /** Saves the settings as a browser does. */
  async function save(fields: Readonly<Record<string, string | File>>) {
    const body = new FormData()
    const texts = { token, revision: revisionIn(await page()), feeds: 'default' }
    for (const [name, value] of Object.entries({ ...texts, ...fields })) body.append(name, value)
    const headers = { cookie, origin: service.url }
    const url = `${service.url}/admin/settings`
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }

  /** Returns the color in the middle of the site's icon. */
  async function iconColor(): Promise<string> {
    const response = await fetch(`${service.url}/icon-512.png`)
    const { width, data } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
    expect(width).toBe(512)
    const middle = 4 * (width * 256 + 256)
    return data.toString('hex', middle, middle + 4)
  }

  return { page, save, iconColor, storeFile, clock: service.clock }
}

test('shows the logo that an admin uploads, until it is removed', async () => {
  const { page, save, iconColor } = await startedSite()
  const initials = await iconColor()
  expect(await page()).not.toContain('name="removeLogo"')
  expect((await save({ picture: pictureOf('00c800ff') })).status).toBe(303)
  expect(await iconColor()).toBe('00c800ff')
  expect(await page()).toMatch(/name="removeLogo"[^]*name="logo" value=""/)
  // A file field without a file is an empty file.
  expect((await save({ name: 'Miller Pond FD', picture: new File([], '') })).status).toBe(303)
  expect(await iconColor()).toBe('00c800ff')
  expect((await save({ picture: pictureOf('0000c8ff', 900, 300) })).status).toBe(303)
  expect(await iconColor()).toBe('0000c8ff')
  expect((await save({ removeLogo: '1' })).status).toBe(303)
  expect(await page()).not.toContain('name="removeLogo"')
  expect(await iconColor()).toBe(initials)
})

/** Returns the data URL of a logo that a page has kept. */
const keptIn = (text: string) =>
  /<input type="hidden" name="picture" value="([^"]+)">/.exec(text)?.[1] ?? ''

test('keeps a logo while another field or a newer version must be corrected', async () => {
  const { page, save, iconColor } = await startedSite()
  const initials = await iconColor()
  const invalid = await save({ color: 'no color', picture: pictureOf('00c800ff') })
  expect([invalid.status, faultsIn(invalid.text)]).toEqual([
    400,
    [expect.stringContaining('color')],
  ])
  const picture = keptIn(invalid.text)
  expect(invalid.text).toContain('The logo that you chose is kept.')
  expect(await iconColor()).toBe(initials)
  const outdated = await save({ revision: '7', picture })
  expect([outdated.status, keptIn(outdated.text)]).toEqual([409, picture])
  expect((await save({ picture })).status).toBe(303)
  expect(await iconColor()).toBe('00c800ff')
  expect(keptIn(await page())).toBe('')
})

test('keeps a photo while another field must be corrected, although its text is long', async () => {
  const { save } = await startedSite()
  const photo = new PNG({ width: 512, height: 512 })
  randomFillSync(photo.data)
  const picture = new File([new Uint8Array(PNG.sync.write(photo))], 'a.png', { type: 'image/png' })
  const kept = keptIn((await save({ color: 'no color', picture })).text)
  expect(kept.length).toBeGreaterThan(1_000_000)
  expect((await save({ picture: kept })).status).toBe(303)
})

test('is part of backups', async () => {
  const { save, iconColor, storeFile, clock } = await startedSite()
  await save({ picture: pictureOf('00c800ff') })
  await using store = openSqliteStore(storeFile, clock.now)
  const restore = await backUp(store, clock)
  await save({ picture: pictureOf('0000c8ff') })
  expect(await iconColor()).toBe('0000c8ff')
  await restore()
  await clock.advance(2_000)
  await waitFor(async () => expect(await iconColor()).toBe('00c800ff'))
})

test.for([
  ['a text', new File(['not a picture'], 'logo.png', { type: 'image/png' })],
  ['an SVG, which can contain scripts', new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' })],
  ['a setting of its own', 'uploaded:abc'],
] as const)('rejects %s as a logo, and keeps the others', async ([, file]) => {
  const { save, iconColor } = await startedSite()
  const initials = await iconColor()
  const { status, text } = await save({ name: 'Miller Pond FD', picture: file })
  expect(status).toBe(400)
  expect(faultsIn(text)).toEqual([expect.stringMatching(/^The logo is not a picture that can be/)])
  expect(text).toContain('value="Miller Pond FD"')
  expect((await save({ logo: 'uploaded:abc' })).status).toBe(400)
  expect(await iconColor()).toBe(initials)
})
