import { afterAll, describe, expect, test } from 'vitest'
import { resourcesPerTurn } from '../../../src/features/dav/answer-limits.ts'
import { reportOn } from '../../../src/features/dav/reports.ts'
import { davPaths } from '../../../src/features/dav/resources.ts'
import { parseXml } from '../../../src/features/dav/xml.ts'
import { report, startDavService, syncFrom } from './account.ts'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(await startDavService())
const account = await service.addAccount({ profile: 'full', feedIds: ['events', 'members'] })
const { find, send } = account
const events = `${account.calendars}events/`
const book = `/dav/${account.id}/contacts/members/`

/** Returns a calendar-query for a day of UTC, with other content. */
const onDay = (day: string, other = '') =>
  report(
    'C:calendar-query',
    ['D:getetag'],
    `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="${day}T000000Z" end="${day}T000001Z"/></C:comp-filter></C:comp-filter></C:filter>${other}`,
  )

describe('a client that prefers short responses', () => {
  const prefer = { Prefer: 'respond-async, return=minimal', Depth: '1' }

  test('gets only the properties that exist', async () => {
    const body = syncFrom('', 'D:getetag', 'D:none')
    const long = await send('REPORT', events, body, { Prefer: 'return=representation' })
    expect(long.text).toContain('<D:none/>')
    expect(long.headers.get('Preference-Applied')).toBeNull()
    const short = await send('REPORT', events, body, prefer)
    expect(short.text).not.toContain('<D:none/>')
    expect(short.text).not.toContain('404')
    expect(short.responses).toEqual(long.responses)
    for (const { headers } of [long, short]) expect(headers.get('Vary')).toContain('Prefer')
    expect(short.headers.get('Preference-Applied')).toBe('return=minimal')
  })

  test('gets an empty result for resources without any of the properties', async () => {
    const { responses, text } = await send(
      'PROPFIND',
      events,
      '<propfind xmlns="DAV:"><prop><none/></prop></propfind>',
      { ...prefer, Depth: '0' },
    )
    expect(responses).toEqual([{ href: events, status: '200', props: '' }])
    expect(text).toContain('<D:prop/>')
  })

  test('still learns which entries were removed or do not exist', async () => {
    const href = `<D:href>${events}none.ics</D:href>`
    const body = report('C:calendar-multiget', ['D:getetag'], href)
    const { responses } = await send('REPORT', events, body, prefer)
    expect(responses).toMatchObject([{ href: `${events}none.ics`, status: '404' }])
  })
})

test('handles requests while it reads many URLs, even if it then refuses to respond', async () => {
  const hrefs = Array.from({ length: 4_000 }, (_, at) => `<D:href>/dav/${at}</D:href>`).join('')
  const request = await parseXml(report('C:calendar-multiget', [`D:${'none'.repeat(200)}`], hrefs))
  if (!request) throw new Error('the request is invalid')
  const collection = {
    kind: 'calendars',
    name: 'events',
    contentId: 'events',
    title: '',
    description: '',
    color: '',
    order: 0,
    items: async () => [],
  } as const
  let requests = 0
  let isAnswered = false
  const handle = () => {
    requests += 1
    if (!isAnswered) setImmediate(handle)
  }
  setImmediate(handle)
  const { status } = await reportOn(request, {
    paths: davPaths('', 'abcdefgh'),
    collection,
    items: [],
    isItem: false,
    isMinimal: false,
    timeZone: 'Etc/UTC',
    now: 0,
    userAgent: undefined,
    changesSince: async () => undefined,
  })
  isAnswered = true
  expect(status).toBe(507)
  expect(requests).toBeGreaterThanOrEqual(4_000 / resourcesPerTurn)
})

const allprop = (content: string) =>
  `<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:allprop/>${content}</D:propfind>`

describe('allprop', () => {
  test('sends only the properties of WebDAV itself, and the principal', async () => {
    for (const body of [undefined, allprop('')]) {
      const { text } = await send('PROPFIND', events, body, { Depth: '0' })
      const [, props = ''] = /<D:prop>(.*)<\/D:prop>/.exec(text) ?? []
      expect(props).toBe(
        `<D:current-user-principal><D:href>/dav/${account.id}/</D:href></D:current-user-principal><D:displayname>Events</D:displayname><D:resourcetype><D:collection/><C:calendar/></D:resourcetype>`,
      )
    }
  })

  test('also sends the properties to include, once', async () => {
    const include = '<D:include><D:getetag/><C:calendar-data/><D:none/></D:include>'
    const { responses } = await find(events, '1', 'D:getetag')
    const href = responses[1]?.href ?? ''
    const { text } = await send('PROPFIND', href, allprop(include), { Depth: '0' })
    expect(text).toContain('<C:calendar-data>BEGIN:VCALENDAR')
    expect(text.split('<D:getetag>')).toHaveLength(2)
    expect(text).toContain('<D:none/>')
  })
})

const zoneNamed = (name: string) =>
  `<C:timezone>BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:${name}\r\nEND:VTIMEZONE\r\nEND:VCALENDAR\r\n</C:timezone>`

describe('time zones', () => {
  test("a calendar has the site's time zone", async () => {
    const { responses } = await find(events, '0', 'C:calendar-timezone')
    const props = responses[0]?.props ?? ''
    expect(responses[0]?.status).toBe('200')
    expect(props).toMatch(
      /^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n[^]*BEGIN:VTIMEZONE\r\nTZID:America\/New_York\r\n[^]*END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/,
    )
    expect(props).not.toContain('VEVENT')
  })

  test('days of a query are in its time zone', async () => {
    const all = await send('REPORT', events, syncFrom('', 'C:calendar-data'))
    const allDay = all.responses.find(({ props }) => /DTSTART;VALUE=DATE:/.test(props))
    const [, day = ''] = /DTSTART;VALUE=DATE:(\d{8})/.exec(allDay?.props ?? '') ?? []
    const isFound = async (zone: string) => {
      const { responses } = await send('REPORT', events, onDay(day, zone))
      return responses.some(({ href }) => href === allDay?.href)
    }
    // Midnight in UTC is on the day before in New York.
    expect(await isFound('')).toBe(false)
    expect(await isFound(zoneNamed('UTC'))).toBe(true)
    expect(await isFound(zoneNamed('Unknown/Zone'))).toBe(false)
  })
})

const reportsIn = (part = '') =>
  [...part.matchAll(/<D:report><\w:([\w-]+)\/>/g)].map(([, name]) => name).join(' ')

describe('reports about a single file', () => {
  test.each([
    ['an entry', events, 'C:calendar', 'C:calendar-data'],
    ['a contact', book, 'A:addressbook', 'A:address-data'],
  ])('%s answers a multiget of itself and a query', async (_, collection, word, data) => {
    const { responses } = await find(collection, '1', 'D:getetag')
    const [href = '', other = ''] = responses.slice(1).map((each) => each.href)
    const { text } = await send('GET', href)
    const hrefs = `<D:href>${href}</D:href><D:href>${other}</D:href>`
    const got = await send('REPORT', href, report(`${word}-multiget`, [data], hrefs))
    expect(got.responses).toEqual([
      { href, status: '200', props: text },
      expect.objectContaining({ href: other, status: '404' }),
    ])
    const filter = word.startsWith('C')
      ? '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>'
      : '<A:filter/>'
    const found = await send('REPORT', href, report(`${word}-query`, ['D:getetag'], filter))
    expect(found.responses.map((each) => each.href)).toEqual([href])
    for (const body of [syncFrom(''), report('C:free-busy-query', [], '')]) {
      const { status, text: error } = await send('REPORT', href, body)
      expect([status, error]).toEqual([403, expect.stringContaining('supported-report')])
    }
  })

  test.each([
    ['calendars', events, 'calendar-query calendar-multiget free-busy-query sync-collection'],
    ['contacts', book, 'addressbook-query addressbook-multiget sync-collection'],
  ])('%s list the reports that they support', async (_, collection, expected) => {
    const { text } = await find(collection, '1', 'D:supported-report-set')
    const [own, item] = text.split('<D:response>').slice(1)
    expect(reportsIn(own)).toBe(expected)
    expect(reportsIn(item)).toBe(expected.split(' ').slice(0, 2).join(' '))
  })
})

const freeBusyIn = (range: string) => report('C:free-busy-query', [], range)

describe('free-busy-query', () => {
  test('sends the busy times of a calendar', async () => {
    const rentals = await service.addAccount({ profile: 'full', feedIds: ['rental'] })
    const rental = `${rentals.calendars}rental-1/`
    const files = await rentals.send('REPORT', rental, syncFrom('', 'C:calendar-data'))
    expect(files.text).toContain('TRANSP:OPAQUE')
    const range = '<C:time-range start="20260101T000000Z" end="20270101T000000Z"/>'
    const { status, headers, text } = await rentals.send('REPORT', rental, freeBusyIn(range))
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8; component=VFREEBUSY')
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n$/)
    expect(text).toMatch(/FREEBUSY:2026\d{4}T\d{6}Z\/2026/)
    expect(text).not.toContain('SUMMARY')
  })

  test.each([
    ['no time range', ''],
    ['no end', '<C:time-range start="20260101T000000Z"/>'],
    ['no start', '<C:time-range end="20260101T000000Z"/>'],
    ['an end before the start', '<C:time-range start="20270101T000000Z" end="20260101T000000Z"/>'],
  ])('rejects %s', async (_, range) => {
    expect((await send('REPORT', events, freeBusyIn(range))).status).toBe(400)
  })

  test('is allowed for calendars only', async () => {
    const property = 'D:current-user-privilege-set'
    const [calendar] = (await find(events, '0', property)).text.match(/<C:[\w-]+\/>/g) ?? []
    expect(calendar).toBe('<C:read-free-busy/>')
    expect((await find(book, '0', property)).text).not.toContain('read-free-busy')
    expect((await send('REPORT', book, freeBusyIn(''))).status).toBe(403)
  })
})

test('answers at once if the text of a time zone is long', async () => {
  const start = performance.now()
  const zone = `<C:timezone>${'\n'.repeat(900_000)}</C:timezone>`
  expect((await send('REPORT', events, onDay('20260301', zone))).status).toBe(207)
  expect(performance.now() - start).toBeLessThan(5_000)
})
