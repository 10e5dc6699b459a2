import { afterAll, expect, test } from 'vitest'
import { report, startDavService } from './account.ts'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(await startDavService())
const account = await service.addAccount({ profile: 'full' })
const { id, send, find } = account
const events = `/dav/${id}/calendars/events/`

test('sends each property once, however often it is requested', async () => {
  const { text } = await find(events, '0', ...Array<string>(250).fill('D:getetag'))
  expect(text.split('getetag')).toHaveLength(2)
})

test('sends each entry once, however often and in whatever form it is requested', async () => {
  const [, entry] = (await find(events, '1', 'D:getetag')).responses
  const href = entry?.href ?? ''
  const forms = [href, href, `${service.url}${href}`, href.replace('events-', 'events%2D')]
  const hrefs = forms.map((form) => `<D:href>${form}</D:href>`).join('')
  const { responses } = await send(
    'REPORT',
    events,
    report('C:calendar-multiget', ['D:getetag'], hrefs),
  )
  expect(responses).toHaveLength(1)
})

test.each([
  ['many entities', `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]><a>${'&b;'.repeat(1000)}</a>`],
  ['many levels', '<a>'.repeat(100_000)],
  ['many properties', `<a>${'<b/>'.repeat(20_000)}</a>`],
  [
    'a long namespace',
    `<propfind xmlns="DAV:"><prop><a xmlns="${'n'.repeat(1_000_000)}"/></prop></propfind>`,
  ],
  ['many attributes', `<a ${Array.from({ length: 60_000 }, (_, at) => `b${at}=""`).join(' ')}/>`],
  [
    'many prefixes',
    `<a ${Array.from({ length: 30_000 }, (_, at) => `xmlns:b${at}="c"`).join(' ')}/>`,
  ],
])('refuses %s', async (_, body) => {
  for (const method of ['PROPFIND', 'REPORT']) {
    expect((await send(method, events, body, { Depth: '1' })).status).toBe(400)
  }
})

test('rejects a query with more than one time range', async () => {
  const range = '<C:time-range start="20260401T000000Z" end="20260501T000000Z"/>'
  const filter = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range.repeat(2)}</C:comp-filter></C:comp-filter></C:filter>`
  const { status, text } = await send('REPORT', events, report('C:calendar-query', [], filter))
  expect(status).toBe(403)
  expect(text).toContain('<C:supported-filter/>')
})
