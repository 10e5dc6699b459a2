import { expect, test } from 'vitest'
import { faultsIn, newLinkForm, sharedAdmin } from '../../support/admin.ts'

const dayMs = 24 * 60 * 60 * 1000

const { service, admin } = sharedAdmin()

const urlIn = (page: string) => /value="([^"]+\/l\/[a-z2-7]{32}\/)"/.exec(page)?.[1] ?? ''

/** Signs in and creates a link. */
async function withLink() {
  const { see, submit } = await admin().signIn()
  const form = newLinkForm({ label: 'Hall tablet', feeds: 'some', feed: 'events' })
  const url = urlIn((await submit('/admin/links', form)).text)
  const path = `/admin/links/${form.id}`
  const page = () => see(path)
  const revision = async () => /name="revision" value="(\d+)"/.exec(await page())?.[1] ?? ''
  const renew = (fields: Record<string, string>) =>
    submit(`${path}/renew`, { overlap: '7', ...fields })
  return { see, url, page, revision, renew }
}

const statusOf = async (url: string) => (await fetch(`${url}events.ics`)).status

test('renewing a link shows the new address, and the old one works until the overlap ends', async () => {
  const { see, url, revision, renew, page } = await withLink()
  const { status, text } = await renew({ revision: await revision(), 'last-day': '2027-06-30' })
  expect(status).toBe(201)
  expect(text).toContain('It replaces the old address, which works until Mar 12, 2026.')
  const renewed = urlIn(text)
  expect(renewed).not.toBe(url)
  expect([await statusOf(url), await statusOf(renewed)]).toEqual([200, 200])
  expect((await fetch(`${renewed}rental.ics`)).status).toBe(403)
  expect(await page()).toContain('until Mar 12, 2026')
  const list = await see('/admin?q=hall+tablet')
  expect(list).toContain('Old address</span> <small class="muted">until Mar 12, 2026')
  expect(list).toContain('Works</span> <small class="muted">until Jun 30, 2027')
  expect(list).not.toContain(renewed)
  await service().clock.leap(8 * dayMs)
  expect(await (await fetch(`${url}events.ics`)).text()).toContain('This feed link has expired')
  expect(await (await fetch(`${renewed}events.ics`)).text()).not.toContain('has expired')
})

test('a renewal that is submitted twice creates only one address', async () => {
  const { revision, renew } = await withLink()
  const sent = { revision: await revision() }
  expect((await renew(sent)).status).toBe(201)
  const { status, text } = await renew(sent)
  expect(status).toBe(409)
  expect(faultsIn(text)).toEqual([expect.stringMatching(/^This link has been changed or renewed/)])
})

test('a renewal with invalid values is explained and keeps them', async () => {
  const { revision, renew } = await withLink()
  const past = await renew({ revision: await revision(), 'last-day': '2020-01-01' })
  expect([past.status, faultsIn(past.text)]).toEqual([
    400,
    ['Choose today or a later date as the last day.'],
  ])
  expect(past.text).toContain('value="2020-01-01"')
  expect(past.text).toContain('<option value="7" selected>')
  expect((await renew({ revision: await revision(), overlap: '9999' })).status).toBe(400)
})
