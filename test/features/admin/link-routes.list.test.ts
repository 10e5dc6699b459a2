import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newLinkId } from '../../../src/links/stored-links.ts'
import { faultsIn, newLinkForm, sharedAdmin } from '../../support/admin.ts'

const { service, admin } = sharedAdmin()

/** Submits the form with a file, like a browser does. */
async function upload(list: string | Uint8Array<ArrayBuffer>, change: Record<string, string> = {}) {
  const { cookie, token, see } = await admin().signIn()
  const form = new FormData()
  const { label: _, ...fields } = newLinkForm({ token, list: '', ...change })
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('list', new Blob([list], { type: 'text/csv' }), 'crew.csv')
  const { url } = service()
  const sent = { method: 'POST', body: form, headers: { cookie, origin: url } }
  const response = await fetch(`${url}/admin/links/list`, sent)
  const links = () => see('/admin')
  return { status: response.status, text: await response.text(), links }
}

/** Returns the URLs on the cards. */
const urlsOn = (page: string) =>
  Array.from(page.matchAll(/<p class="url">(.*?)<\/p>/g), ([, url]) => url?.replace(/<.+?>/g, ''))

const names = (prefix: string) =>
  Array.from({ length: 500 }, (_, index) => `${prefix}${index}`).join('\n')

test('a list of names creates a link and a card for each row', async () => {
  const bom = Buffer.from('\uFEFFname,profile,feeds\r\nZoë Card,full,\r\nHall Card,,events\r\n')
  const { status, text, links } = await upload(new Uint8Array(bom))
  expect(status).toBe(201)
  const urls = urlsOn(text)
  expect(urls).toHaveLength(2)
  for (const url of urls) expect((await fetch(`${url}/events.ics`)).status).toBe(200)
  expect((await fetch(`${urls[1]}/rental.ics`)).status).toBe(403)
  expect(text.match(/<svg /g)).toHaveLength(2)
  expect(await links()).toContain('<strong>Zoë Card</strong>')
})

test('a card says whether its link shows a calendar, news or both', async () => {
  const { text } = await upload('name,feeds\nAll,\nHall,events rental\nPress,news\n')
  const cards = text.match(/(?<=<p class="what">)[^<]+/g)
  expect(cards).toEqual(['Your calendar and news', 'Your calendar', 'Your news'])
})

test('a list of names creates nothing if one row is invalid, and keeps the list', async () => {
  const { status, text, links } = await upload('Good Row\nBad Row,boss\n')
  expect(status).toBe(400)
  expect(faultsIn(text)).toEqual([expect.stringMatching(/^Row 2: The profile “boss” is unknown/)])
  expect(text).toContain('Good Row\nBad Row,boss')
  expect(await links()).not.toContain('Good Row')
})

test('a list of names shows at most 20 problems', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `Row ${index},boss\n`)
  const { text } = await upload(rows.join(''))
  expect(faultsIn(text)).toHaveLength(20)
  expect(text).toContain('There are 10 more problems in the list. No links were created.')
})

test('a list of names that is submitted twice creates its links only once', async () => {
  const id = newLinkId(randomBytes)
  expect((await upload('Once A\nOnce B', { id })).status).toBe(201)
  const { status, text, links } = await upload('Once A\nOnce B', { id })
  expect(status).toBe(409)
  expect(faultsIn(text)[0]).toMatch(/^These links were already created/)
  expect((await links()).split('<strong>Once A</strong>')).toHaveLength(2)
})

test('a list of names that would exceed the maximum number of links creates none', async () => {
  expect((await upload(names('first'))).status).toBe(201)
  const { status, text } = await upload(names('second'))
  expect(status).toBe(409)
  expect(faultsIn(text)[0]).toMatch(/^This would be more than the maximum/)
  expect(text).toContain('second499')
})

test('a list of names creates links on several pages of the admin page', async () => {
  const { see } = await admin().signIn()
  const pageAt = (query: string) => see(`/admin${query}`)
  const first = await pageAt('?q=first&sort=name')
  expect(first.match(/<strong>first\d+<\/strong>/g)).toHaveLength(50)
  expect(first).toContain('500 links match.')
  expect(first).toContain('Page 1 of 10')
  const [, next = ''] = /href="\/admin(\?[^"]*)#existing-links" rel="next"/.exec(first) ?? []
  const second = await pageAt(next.replaceAll('&amp;', '&'))
  expect(second).toContain('Page 2 of 10')
  expect(second).toContain('<strong>first50</strong>')
  expect(second).toMatch(/\/admin\/links\/\w+\?q=first&amp;sort=name&amp;page=2"/)
})

test('a list of names is explained if it is not UTF-8, empty or too large', async () => {
  const latin = await upload(new Uint8Array([0x4a, 0x6f, 0x73, 0xe9]))
  expect([latin.status, faultsIn(latin.text)[0]]).toEqual([400, expect.stringContaining('UTF-8')])
  expect((await upload('')).status).toBe(400)
  expect((await upload('x'.repeat(9_000_000))).status).toBe(413)
})

test.for(['"', ',', '\n', 'x'])(
  'a list of names is explained if it is 8 MB of %j',
  async (text) => {
    const refused = await upload(text.repeat(8_000_000))
    expect(refused.status).toBe(413)
    expect(refused.text).toContain('Use at most 256 KiB; split a long list into several lists.')
    expect((await upload('', { list: text.repeat(300_000) })).status).toBe(413)
  },
)

const field = (name: string, headers = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\na\r\n`

test('a form is rejected if it has very many fields, or very long headers', async () => {
  const { cookie } = await admin().signIn()
  const { url } = service()
  const sent = async (body: string, type = 'multipart/form-data; boundary=x') => {
    const headers = { cookie, origin: url, 'Content-Type': type }
    return (await fetch(`${url}/admin/links/list`, { method: 'POST', body, headers })).status
  }
  expect(await sent(`${field('list').repeat(140_000)}--x--\r\n`)).toBe(413)
  const otherFirst = 'multipart/form-data; not-boundary=y; boundary=x'
  expect(await sent(`${field('list').repeat(140_000)}--x--\r\n`, otherFirst)).toBe(413)
  expect(await sent(`${field('a'.repeat(300_000))}--x--\r\n`)).toBe(413)
  expect(await sent(`${field('list', 'a:\r\n'.repeat(1_000_000))}--x--\r\n`)).toBe(413)
  expect(await sent(`${field('list', 'a:\r\n'.repeat(1_000)).repeat(990)}--x--\r\n`)).toBe(413)
  expect(await sent(`${field('list').repeat(999)}--x--\r\n`)).toBe(403)
})

test('a list of names is only accepted with a token', async () => {
  const forged = await upload('Forged', { token: 'x' })
  expect(forged.status).toBe(403)
  expect(await forged.links()).not.toContain('Forged')
})

test('has the form for a new link in a dialog, and on a page for browsers without scripts', async () => {
  const { cookie, see } = await admin().signIn()
  const list = await see('/admin?q=a')
  expect(list).toContain('href="/admin/links/new?q=a" data-dialog="new-link"')
  expect(list).toContain('<dialog id="new-link"')
  const page = await admin().visit('/admin/links/new?q=a', { cookie })
  expect(page.status).toBe(200)
  expect(page.text).toContain('action="/admin/links?q=a"')
  expect(page.text).toContain('<h1 id="new-link">New feed link</h1>')
})
