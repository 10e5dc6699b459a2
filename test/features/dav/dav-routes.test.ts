import { afterAll, describe, expect, test } from 'vitest'
import { lintCalendar } from '../../support/calendar-lint.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { report, startDavService, syncFrom } from './account.ts'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(await startDavService())

test('clients discover the calendars of a link with its id and key', async () => {
  const { id, find, send } = await service.addAccount({ profile: 'full' })
  const wellKnown = await send('PROPFIND', '/.well-known/caldav')
  expect([wellKnown.status, wellKnown.headers.get('Location')]).toEqual([307, '/dav/'])
  const root = await find('/dav/', '0', 'D:current-user-principal')
  expect(root.responses).toEqual([{ href: '/dav/', status: '200', props: `/dav/${id}/` }])
  const principal = await find(`/dav/${id}/`, '0', 'C:calendar-home-set', 'A:addressbook-home-set')
  expect(principal.responses[0]?.props).toBe(`/dav/${id}/calendars//dav/${id}/contacts/`)
  const home = await find(`/dav/${id}/calendars/`, '1', 'D:displayname')
  expect(home.status).toBe(207)
  expect(home.responses.map(({ props }) => props)).toEqual([
    'Cedar Hollow Volunteer Fire Department',
    'Calendar: Administration',
    'Calendar: Apparatus',
    'Calendar: Duty Crews',
    'Calendar: Training',
    'Events',
    'Rentals: Pavilion',
    'Rentals: Social Hall',
    'Rentals: Training Room',
    'Sign-ups',
  ])
})

test('the calendars of a link have exactly the entries of its feeds, each once', async () => {
  const { key, find, send, calendars } = await service.addAccount({ profile: 'full' })
  const home = await find(calendars, '1', 'D:resourcetype')
  const collections = home.responses.slice(1).map(({ href }) => href)
  const uids: string[] = []
  for (const collection of collections) {
    const { responses } = await find(collection, '1', 'D:getetag')
    for (const { href } of responses.slice(1, 4)) {
      const { headers, text } = await send('GET', href)
      expect(headers.get('Content-Type')).toContain('text/calendar')
      const faults = lintCalendar(Buffer.from(text))
      // Files of entries do not describe the calendar.
      expect(faults.filter((fault) => !fault.endsWith('does not occur exactly once'))).toEqual([])
    }
    uids.push(...responses.slice(1).map(({ href }) => href.split('/').at(-1) ?? ''))
  }
  const shown: string[] = []
  for (const feed of ['calendar', 'events', 'rental', 'signup']) {
    const { text } = await service.get(`/l/${key}/${feed}.ics`)
    shown.push(...readCalendar(text).events.map(({ uid }) => `${uid.split('@')[0]}.ics`))
  }
  expect(shown.length).toBeGreaterThan(100)
  expect(uids.toSorted()).toEqual(shown.toSorted())
})

const basic = (user: string, key: string) =>
  `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`

describe('without the right user name and password', () => {
  test.each([
    ['nothing', () => ''],
    ['another scheme', () => 'Bearer x'],
    ['another user', (_: string, key: string) => basic('aaaaaaaa', key)],
    ['another key', (id: string) => basic(id, 'a'.repeat(32))],
    ['no key', (id: string) => basic(id, '')],
    ['text without a colon', () => `Basic ${Buffer.from('x').toString('base64')}`],
  ] as const)('every path is closed: %s', async (_, headerFor) => {
    const { id, key, send } = await service.addAccount()
    for (const path of ['/dav/', `/dav/${id}/`, `/dav/${id}/calendars/events/`, '/dav/x']) {
      const { status, headers } = await send('PROPFIND', path, undefined, {
        Depth: '0',
        Authorization: headerFor(id, key),
        'X-Forwarded-For': '192.0.2.1',
      })
      expect([path, status]).toEqual([path, 401])
      expect(headers.get('WWW-Authenticate')).toBe('Basic realm="Feedhouse", charset="UTF-8"')
    }
    await service.clock.advance(10 * 60_000)
  })

  test('clients that guess passwords have to wait, and others do not', async () => {
    const { id, find, send } = await service.addAccount()
    const guess = () =>
      send('PROPFIND', '/dav/', undefined, { Depth: '0', Authorization: basic(id, 'guess') })
    const statuses = []
    for (let count = 0; count < 12; count += 1) statuses.push((await guess()).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
    expect((await find('/dav/', '0')).status).toBe(207)
    await service.clock.advance(10 * 60_000)
  })
})

test('rejects a wrong password before reading the body', async () => {
  const { id, send } = await service.addAccount()
  const wrong = { Depth: '0', Authorization: basic(id, 'wrong') }
  const large = 'x'.repeat(2 * 1024 * 1024)
  expect((await send('PROPFIND', '/dav/', large, wrong)).status).toBe(401)
  expect((await send('PROPFIND', '/dav/', large, { Depth: '0' })).status).toBe(413)
  const headers = { 'Content-Length': '100', ...wrong }
  const { status } = await exchangeUrl(`${service.url}/dav/`, headers, 'PROPFIND')
  expect(status).toBe(401)
})

test("an account does not show other accounts' paths", async () => {
  const other = await service.addAccount()
  const { find } = await service.addAccount()
  for (const path of [`/dav/${other.id}/`, other.calendars, `${other.calendars}events/`]) {
    expect((await find(path, '0')).status).toBe(404)
  }
})

test("an account does not show its link's label, which is for the webmaster", async () => {
  const { id, label, find } = await service.addAccount()
  for (const path of ['/dav/', `/dav/${id}/`, `/dav/${id}/calendars/`]) {
    const { text } = await find(path, '1')
    expect(text).toContain(id)
    expect(text).not.toContain(label)
  }
})

test('an account shows only the feeds of its link', async () => {
  const { id, find } = await service.addAccount({ feedIds: ['events'] })
  const { responses } = await find(`/dav/${id}/calendars/`, '1', 'D:displayname')
  expect(responses.map(({ props }) => props).slice(1)).toEqual(['Events'])
  for (const other of ['calendars/signup/', 'contacts/members/']) {
    expect((await find(`/dav/${id}/${other}`, '1', 'D:getetag')).responses).toHaveLength(1)
  }
})

test('reports that everything is read-only, and rejects every change', async () => {
  const { calendars, find, send } = await service.addAccount()
  const events = `${calendars}events/`
  const { text } = await find(events, '0', 'D:current-user-privilege-set')
  expect(text).toContain('<D:privilege><D:read/></D:privilege>')
  expect(text).not.toContain('write')
  const before = await find(events, '1', 'D:getetag')
  const writes = ['PUT', 'DELETE', 'POST', 'MKCALENDAR', 'MKCOL', 'MOVE', 'COPY', 'ACL', 'LOCK']
  for (const method of writes) {
    const response = await send(method, `${events}new.ics`, 'BEGIN:VCALENDAR')
    expect([method, response.status]).toEqual([method, 403])
    expect(response.text).toContain('need-privileges')
  }
  const patch = await send(
    'PROPPATCH',
    events,
    '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:displayname>x</D:displayname></D:prop></D:set></D:propertyupdate>',
  )
  expect(patch.responses).toMatchObject([{ href: events, status: '403' }])
  expect((await find(events, '1', 'D:getetag')).text).toBe(before.text)
})

describe('reports', () => {
  test('a sync sends everything at first, nothing without changes, and rejects an unknown token', async () => {
    const { calendars, find, send } = await service.addAccount()
    const events = `${calendars}events/`
    const first = await send('REPORT', events, syncFrom('', 'D:getetag'))
    const { responses } = await find(events, '1', 'D:getetag')
    expect(first.responses).toEqual(responses.slice(1))
    const again = await send('REPORT', events, syncFrom(first.token, 'D:getetag'))
    expect([again.responses, again.token]).toEqual([[], first.token])
    const token = await find(events, '0', 'D:sync-token')
    expect(token.responses[0]?.props).toBe(first.token)
    const unknown = await send('REPORT', events, syncFrom('urn:x', 'D:getetag'))
    expect([unknown.status, unknown.text]).toEqual([
      403,
      expect.stringContaining('valid-sync-token'),
    ])
  })

  test('multiget sends the requested entries, and 404 for others', async () => {
    const { calendars, find, send } = await service.addAccount()
    const events = `${calendars}events/`
    const { responses } = await find(events, '1', 'D:getetag')
    const href = responses[1]?.href ?? ''
    const absolute = `${service.url}${responses[2]?.href}`
    const hrefs = [href, `${events}none.ics`, '/elsewhere', absolute]
    const { responses: got } = await send(
      'REPORT',
      events,
      report(
        'C:calendar-multiget',
        ['D:getetag', 'C:calendar-data'],
        hrefs.map((each) => `<D:href>${each}</D:href>`).join(''),
      ),
    )
    expect(got.map(({ status }) => status)).toEqual(['200', '404', '404', '200'])
    const file = await send('GET', href)
    expect(got[0]?.props).toBe(`${file.headers.get('ETag')}${file.text}`)
  })

  test('a query finds entries in a time range', async () => {
    const { calendars, send } = await service.addAccount()
    const { responses } = await send(
      'REPORT',
      `${calendars}events/`,
      report(
        'C:calendar-query',
        ['C:calendar-data'],
        '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20260401T000000Z" end="20260501T000000Z"/></C:comp-filter></C:comp-filter></C:filter>',
      ),
    )
    const months = responses.map(
      ({ props }) => /BEGIN:VEVENT[^]*?DTSTART[^:]*:(\d{6})/.exec(props)?.[1],
    )
    expect(months.length).toBeGreaterThan(0)
    expect(new Set(months)).toEqual(new Set(['202604']))
  })

  test('unknown reports and filters are rejected with the precondition that failed', async () => {
    const { id, calendars, send } = await service.addAccount()
    const events = `${calendars}events/`
    const cases = [
      [events, report('D:expand-property', [], ''), 'supported-report'],
      [events, report('A:addressbook-multiget', [], ''), 'supported-report'],
      [`/dav/${id}/`, syncFrom(''), 'supported-report'],
      [events, report('C:calendar-query', [], ''), 'supported-filter'],
    ] as const
    for (const [path, body, precondition] of cases) {
      const { status, text } = await send('REPORT', path, body)
      expect([status, text]).toEqual([403, expect.stringContaining(precondition)])
    }
  })
})

describe('a link that changes', () => {
  test('shows only a notice while it is paused, and its entries again after that', async () => {
    const { calendars, send, edit } = await service.addAccount()
    const events = `${calendars}events/`
    const first = await send('REPORT', events, syncFrom('', 'C:calendar-data'))
    await edit({ isPaused: true })
    const sync = await send('REPORT', events, syncFrom(first.token, 'C:calendar-data'))
    const [notice, ...removed] = sync.responses
    expect(notice?.props).toContain('This feed link is paused')
    expect(removed.map(({ href }) => href)).toEqual(first.responses.map(({ href }) => href))
    expect(new Set(removed.map(({ status }) => status))).toEqual(new Set(['404']))
    await edit({ isPaused: false })
    const again = await send('REPORT', events, syncFrom(sync.token, 'D:getetag'))
    expect(again.responses.filter(({ status }) => status === '404')).toHaveLength(1)
    expect(again.responses).toHaveLength(first.responses.length + 1)
    const later = await send('REPORT', events, syncFrom(first.token, 'D:getetag'))
    expect([later.status, later.responses]).toEqual([207, []])
  })

  test('shows nothing of other links while it is paused', async () => {
    const [one, other] = [await service.addAccount(), await service.addAccount()]
    const sync = (account: typeof one, token: string) =>
      account.send('REPORT', `${account.calendars}events/`, syncFrom(token))
    await one.edit({ isPaused: true })
    const { token } = await sync(one, '')
    await other.edit({ isPaused: true })
    expect((await sync(other, '')).responses).toHaveLength(1)
    expect(await sync(one, token)).toMatchObject({ status: 207, responses: [], token })
  })

  test('shows the notice for two weeks after it was revoked, and then rejects its key', async () => {
    const { calendars, find, edit } = await service.addAccount()
    await edit('revoke')
    const { responses } = await find(`${calendars}events/`, '1', 'D:getetag')
    expect(responses).toHaveLength(2)
    await service.clock.leap(14 * 24 * 60 * 60_000)
    expect((await find('/dav/', '0')).status).toBe(401)
  })

  test('reads only short bodies while it is closed', async () => {
    const { calendars, send, edit } = await service.addAccount()
    async function statusOf(bytes: number): Promise<number> {
      const body = syncFrom('', 'D:getetag').padEnd(bytes)
      return (await send('REPORT', `${calendars}events/`, body)).status
    }
    expect(await statusOf(1024 * 1024)).toBe(207)
    await edit('revoke')
    expect([await statusOf(16 * 1024), await statusOf(16 * 1024 + 1)]).toEqual([207, 413])
  })

  test('shows what its new profile allows', async () => {
    const { calendars, send, edit } = await service.addAccount({ profile: 'full' })
    const rentals = `${calendars}rental-1/`
    const before = await send('REPORT', rentals, syncFrom('', 'C:calendar-data'))
    expect(before.text).toContain('Harriet Bloom')
    await edit({ profile: 'members' })
    const after = await send('REPORT', rentals, syncFrom(before.token, 'C:calendar-data'))
    expect(after.responses.length).toBeGreaterThan(30)
    expect(after.text).not.toContain('Harriet Bloom')
  })
})

test('links that include the members have an address book', async () => {
  const { id, find, send } = await service.addAccount({
    profile: 'full',
    feedIds: ['events', 'members'],
  })
  const book = `/dav/${id}/contacts/members/`
  const { responses } = await find(`/dav/${id}/contacts/`, '1', 'D:displayname')
  expect(responses.slice(1)).toMatchObject([{ href: book, props: 'Members' }])
  const sync = await send('REPORT', book, syncFrom('', 'D:getetag', 'A:address-data'))
  expect(sync.responses.length).toBeGreaterThan(5)
  expect(sync.responses[0]?.props).toMatch(/BEGIN:VCARD\r\nVERSION:3\.0/)
  const query = await send(
    'REPORT',
    book,
    report('A:addressbook-query', ['D:getetag'], '<A:filter><A:prop-filter name="FN"/></A:filter>'),
  )
  expect(query.responses).toHaveLength(sync.responses.length)
  const { headers, text } = await send('GET', sync.responses[0]?.href ?? '')
  expect(headers.get('Content-Type')).toBe('text/vcard; charset=utf-8')
  expect(text).toContain('BEGIN:VCARD')
})

test('files have entity tags that conditional requests can use', async () => {
  const { authorization, calendars, find, send } = await service.addAccount()
  const { responses } = await find(`${calendars}events/`, '1', 'D:getetag')
  const { href = '', props = '' } = responses[1] ?? {}
  expect((await send('GET', href)).headers.get('ETag')).toBe(props)
  const headers = { Authorization: authorization, 'If-None-Match': props }
  expect((await exchangeUrl(`${service.url}${href}`, headers)).status).toBe(304)
  expect((await send('HEAD', href)).status).toBe(200)
  for (const [condition, status] of [
    [props, 200],
    ['*', 200],
    ['"other"', 412],
  ] as const) {
    expect((await send('GET', href, undefined, { 'If-Match': condition })).status).toBe(status)
  }
})

test('accepts a user name and a password with pasted spaces', async () => {
  const { id, key, send } = await service.addAccount()
  const Authorization = `Basic ${Buffer.from(` ${id}\n: ${key.slice(0, 16)} ${key.slice(16)}\n`).toString('base64')}`
  expect((await send('PROPFIND', '/dav/', undefined, { Depth: '0', Authorization })).status).toBe(
    207,
  )
})

test('answers a PROPFIND without a depth like one with a depth of 1', async () => {
  const { calendars, send } = await service.addAccount()
  const { text } = await send('PROPFIND', calendars)
  expect(text).toBe((await send('PROPFIND', calendars, undefined, { Depth: '1' })).text)
  expect(text).toContain('/events/</D:href>')
})

test('PROPFIND requires a depth of 0 or 1, and an XML body', async () => {
  const { send } = await service.addAccount()
  const infinite = await send('PROPFIND', '/dav/', undefined, { Depth: 'infinity' })
  expect([infinite.status, infinite.text]).toEqual([
    403,
    expect.stringContaining('propfind-finite-depth'),
  ])
  const kinds = ['', '<D:other/>', '<D:allprop/><D:propname/>', '<D:prop/><D:prop/>']
  const propfinds = kinds.map((kind) => `<D:propfind xmlns:D="DAV:">${kind}</D:propfind>`)
  for (const body of ['<a>', '<a/>', '<D:sync-collection xmlns:D="DAV:"/>', ...propfinds]) {
    expect((await send('PROPFIND', '/dav/', body, { Depth: '0' })).status).toBe(400)
  }
  for (const body of ['<a>', undefined]) {
    expect((await send('PROPPATCH', '/dav/', body)).status).toBe(400)
  }
  expect((await send('REPORT', '/dav/', undefined)).status).toBe(400)
  const large = `<a>${' '.repeat(1024 * 1024)}</a>`
  expect((await send('PROPFIND', '/dav/', large, { Depth: '0' })).status).toBe(413)
})

test('sites that do not offer accounts have no such paths', async () => {
  await using other = await startDavService({ environment: { DAV: 'no' } })
  const { send } = await other.addAccount()
  expect((await send('PROPFIND', '/dav/')).status).toBe(405)
  expect((await send('GET', '/.well-known/caldav')).status).toBe(404)
})
