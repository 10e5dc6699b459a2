import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { sampleSiteOn } from '../../src/sandbox/sample/sample-site.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const site = sampleSiteOn('2026-03-05')
const cleanUp = new Set<AsyncDisposable>()

afterEach(async () => {
  for (const resource of cleanUp) await resource[Symbol.asyncDispose]()
  cleanUp.clear()
})

/** A sandbox on a clock of its own and a caller over real HTTPS. */
async function start(options: SandboxOptions = {}) {
  const clock = createFakeClock()
  const sandbox = await createSandbox({ now: clock.now, ...options })
  cleanUp.add(sandbox)
  const dispatcher = new Agent({ connect: { ca: readFileSync(sandbox.caFile) } })
  cleanUp.add({ [Symbol.asyncDispose]: () => dispatcher.destroy() })

  async function call(method: string, path: string, authorization?: string, body?: string) {
    const response = await request(`${sandbox.url}${path}`, {
      method: method as 'GET',
      dispatcher,
      headers: authorization === undefined ? {} : { authorization },
      body: body ?? null,
    })
    const text = await response.body.text()
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  const refreshToken = sandbox.projects[0]?.refreshToken ?? ''
  const refresh = (token = refreshToken) => call('POST', '/apps/api/refresh/', `Bearer ${token}`)
  async function get(path: string) {
    const { body } = await refresh()
    return call('GET', path, `Bearer ${body.access_token}`)
  }
  return { clock, sandbox, call, refresh, refreshToken, get }
}

function failure(status: number, error: string, code: string) {
  return { status, error, code, message: expect.any(String) }
}

describe('the refresh endpoint', () => {
  test('trades a refresh token for an access token', async () => {
    const { refresh } = await start()
    const { status, body } = await refresh()
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      endpoint: 'refresh',
      domain: 'localhost',
      project: 'demo',
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 86_400,
      access_token_expire: '2026-03-06 10:00:00',
    })
  })

  test('takes POST only', async () => {
    const { call, refreshToken } = await start()
    const { status, headers, body } = await call(
      'GET',
      '/apps/api/refresh/',
      `Bearer ${refreshToken}`,
    )
    expect(status).toBe(405)
    expect(headers['allow']).toBe('POST')
    expect(body).toEqual(failure(405, 'Method Not Allowed', 'method_not_allowed'))
  })

  test('takes no access token', async () => {
    const { refresh } = await start()
    const { body } = await refresh()
    expect((await refresh(body.access_token)).body).toEqual(
      failure(401, 'Unauthorized', 'token_invalid'),
    )
  })

  test('refuses a refresh token that is over', async () => {
    const { refresh, clock } = await start({ refreshTokenSeconds: 60 })
    await clock.advance(60_000)
    expect((await refresh()).body).toEqual(failure(403, 'Forbidden', 'refresh_expired'))
  })
})

describe('tokens at a data endpoint', () => {
  test.for([
    { name: 'none', authorization: undefined, code: 'token_missing' },
    { name: 'an unknown one', authorization: 'Bearer abc', code: 'token_invalid' },
    { name: 'another scheme', authorization: 'Basic YTpi', code: 'token_invalid' },
    { name: 'an empty one', authorization: 'Bearer ', code: 'token_invalid' },
  ])('$name is $code', async ({ authorization, code }) => {
    const { call } = await start()
    const { status, body } = await call('GET', '/apps/api/news/', authorization)
    expect(status).toBe(401)
    expect(body).toEqual(failure(401, 'Unauthorized', code))
  })

  test('the refresh token is refresh_token_supplied', async () => {
    const { call, refreshToken } = await start()
    const { body } = await call('GET', '/apps/api/news/', `Bearer ${refreshToken}`)
    expect(body).toEqual(failure(401, 'Unauthorized', 'refresh_token_supplied'))
  })

  test('an access token is token_expired after 24 hours', async () => {
    const { call, refresh, clock } = await start()
    const { body: token } = await refresh()
    const news = () => call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
    await clock.advance(86_399_000)
    expect((await news()).status).toBe(200)
    await clock.advance(1000)
    expect((await news()).body).toEqual(failure(401, 'Unauthorized', 'token_expired'))
  })
})

describe('limits', () => {
  test('the 31st call of a minute is rate_limited with the seconds to wait', async () => {
    const { call, refresh, clock } = await start()
    const { body: token } = await refresh()
    const news = () => call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
    for (let calls = 1; calls < 30; calls += 1) expect((await news()).status).toBe(200)
    await clock.advance(20_500)
    const { status, headers, body } = await news()
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('40')
    expect(body).toEqual(failure(429, 'Too Many Requests', 'rate_limited'))
    await clock.advance(40_000)
    expect((await news()).status).toBe(200)
  })

  test('ten failed token requests within ten minutes block the address for an hour', async () => {
    const { refresh, clock } = await start()
    for (let failures = 0; failures < 10; failures += 1) {
      expect((await refresh('wrong')).body.code).toBe('token_invalid')
      await clock.advance(59_000)
    }
    expect((await refresh()).body).toEqual(failure(429, 'Too Many Requests', 'too_many_failures'))
    await clock.advance(60 * 60_000)
    expect((await refresh()).status).toBe(200)
  })

  test('nine failures, or ten over a longer time, block nobody', async () => {
    const { refresh, clock } = await start()
    for (let failures = 0; failures < 12; failures += 1) {
      await refresh('wrong')
      await clock.advance(70_000)
    }
    expect((await refresh()).status).toBe(200)
  })
})

describe('paths and methods', () => {
  test.for(['/', '/apps/api/', '/apps/api/nothing/', '/apps/api/news', '/apps/api/News/', '/%ff'])(
    '%s is unknown_endpoint',
    async (path) => {
      const { call } = await start()
      const { status, body } = await call('GET', path)
      expect(status).toBe(404)
      expect(body).toEqual(failure(404, 'Not Found', 'unknown_endpoint'))
    },
  )

  test.for(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    '%s is method_not_allowed',
    async (method) => {
      const { call } = await start()
      const { status, headers, body } = await call(method, '/apps/api/news/', 'Bearer x', 'a=1')
      expect(status).toBe(405)
      expect(headers['allow']).toBe('GET')
      expect(body).toEqual(failure(405, 'Method Not Allowed', 'method_not_allowed'))
    },
  )

  test('HEAD is method_not_allowed too: data endpoints accept GET only', async () => {
    const { call } = await start()
    expect((await call('HEAD', '/apps/api/news/')).status).toBe(405)
  })

  test('without TLS everything is https_required', async () => {
    const { sandbox } = await start()
    const response = await fetch(`${sandbox.httpUrl}/apps/api/news/`)
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual(failure(403, 'Forbidden', 'https_required'))
  })

  test('a website without the service is api_disabled', async () => {
    const { refresh } = await start({ apiEnabled: false })
    expect((await refresh()).body).toEqual(failure(403, 'Forbidden', 'api_disabled'))
  })
})

test('an unhandled exception is server_error, and is reported', async () => {
  const reported: unknown[] = []
  const broken = new Error('the sample is broken')
  const { get } = await start({
    siteOn: () => {
      throw broken
    },
    report: (error) => void reported.push(error),
  })
  const { status, body } = await get('/apps/api/news/')
  expect(status).toBe(500)
  expect(body).toEqual(failure(500, 'Internal Server Error', 'server_error'))
  expect(JSON.stringify(body)).not.toContain(broken.message)
  expect(reported).toEqual([broken])
})

describe('parameters', () => {
  test.for([
    'StartRow=0',
    'StartRow=-1',
    'StartRow=one',
    'StartRow=1.5',
    'StartRow=',
    'ID=',
    'MaxRows=0',
    'MaxRows=1001',
    'MaxRows=1&MaxRows=2',
    'ID=x',
    'CalendarID=x',
    'All=yes',
    'StartDate=2026-02-30',
    'StartDate=03/05/2026',
    'EndDate=2026-13-01',
    'StartDate=2026-03-06&EndDate=2026-03-05',
    'EndDate=2026-03-04',
    `StartRow=${'9'.repeat(10_000)}`,
  ])('calendar with %s is invalid_parameter', async (query) => {
    const { get } = await start()
    const { status, body } = await get(`/apps/api/calendar/?${query}`)
    expect(status).toBe(400)
    expect(body).toEqual(failure(400, 'Bad Request', 'invalid_parameter'))
  })

  test('an ID of no record is not_found, however odd the number', async () => {
    const { get } = await start()
    for (const id of ['0', '-1', '999999999']) {
      expect((await get(`/apps/api/calendar/?ID=${id}`)).body).toEqual(
        failure(404, 'Not Found', 'not_found'),
      )
    }
  })

  test('a category or calendar of no record is empty', async () => {
    const { get } = await start()
    expect((await get('/apps/api/news/?CategoryID=0')).body).toMatchObject({ totalCount: 0 })
    expect((await get('/apps/api/calendar/?CalendarID=99&All=1')).body.items).toEqual([])
  })

  test('unknown parameters are ignored', async () => {
    const { get } = await start()
    expect((await get('/apps/api/news/?Colour=red')).status).toBe(200)
  })
})

describe('the envelope', () => {
  test('has the properties of the specification', async () => {
    const { get } = await start()
    const { body } = await get('/apps/api/news/?MaxRows=2&StartRow=3')
    expect(body).toEqual({
      status: 200,
      endpoint: 'news',
      domain: 'localhost',
      generated: '2026-03-05 10:00:00',
      startRow: 3,
      maxRows: 2,
      count: 2,
      totalCount: site.newsStories.length,
      items: site.newsStories.slice(2, 4),
    })
  })

  test('pages default to 100 rows and go on until the total count', async () => {
    const { get } = await start()
    const first = await get('/apps/api/calendar/?All=1')
    expect(first.body).toMatchObject({ startRow: 1, maxRows: 100, count: 100 })
    const rest = await get('/apps/api/calendar/?All=1&StartRow=101&MaxRows=1000')
    expect([...first.body.items, ...rest.body.items]).toEqual(site.calendarEvents)
  })

  test('a page past the end is empty', async () => {
    const { get } = await start()
    const { body } = await get('/apps/api/news/?StartRow=5000')
    expect(body).toMatchObject({ status: 200, count: 0, items: [], startRow: 5000 })
  })
})

function ids(records: readonly { readonly id: number }[]) {
  return records.map(({ id }) => id)
}

describe('calendar', () => {
  test('shows today to 30 days after, also what began before', async () => {
    const { get } = await start()
    const { body } = await get('/apps/api/calendar/?MaxRows=1000')
    const during = site.calendarEvents.filter(
      ({ startDate, endDate }) => endDate >= '2026-03-05' && startDate <= '2026-04-04',
    )
    expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-04-04' })
    expect(ids(body.items)).toEqual(ids(during))
  })

  test('shows a range, inclusive and overlapping', async () => {
    const { get } = await start()
    // A weekend of duty from Saturday the 7th to Sunday the 8th.
    const { body } = await get('/apps/api/calendar/?StartDate=2026-03-08&EndDate=2026-03-08')
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual([
      expect.stringMatching(/^Duty weekend/),
      expect.stringMatching(/^Night standby/),
    ])
  })

  test('shows one calendar, one event by ID, and all', async () => {
    const { get } = await start()
    const one = await get('/apps/api/calendar/?CalendarID=4&All=1')
    const inCalendar = site.calendarEvents.filter(({ calendarId }) => calendarId === 4)
    expect(ids(one.body.items)).toEqual(ids(inCalendar))
    const [past] = site.calendarEvents
    const byId = await get(`/apps/api/calendar/?ID=${past?.id}`)
    expect(byId.body.items).toEqual([past])
    expect((await get('/apps/api/calendar/?ID=1')).body).toEqual(
      failure(404, 'Not Found', 'not_found'),
    )
  })
})

describe('events', () => {
  test('shows current and upcoming events without a range', async () => {
    const { get } = await start()
    const { body } = await get('/apps/api/events/?MaxRows=1000')
    const upcoming = site.publicEvents.filter(({ endDate }) => endDate >= '2026-03-05')
    expect(ids(body.items)).toEqual(ids(upcoming))
  })

  test.for(['All=1', 'StartDate=2020-01-01', 'EndDate=2030-01-01'])(
    'shows all with %s',
    async (query) => {
      const { get } = await start()
      const { body } = await get(`/apps/api/events/?MaxRows=1000&${query}`)
      expect(ids(body.items)).toEqual(ids(site.publicEvents))
    },
  )
})

describe('news', () => {
  test('shows all stories, deployed or not', async () => {
    const { get } = await start()
    const { body } = await get('/apps/api/news/')
    expect(body.items).toEqual(site.newsStories)
    expect(body.items.some(({ deployed }: { deployed: number }) => deployed === 0)).toBe(true)
  })

  test('filters by category and by the dates of the stories', async () => {
    const { get } = await start()
    const { body } = await get(
      '/apps/api/news/?CategoryID=3&StartDate=2025-06-01&EndDate=2025-12-31',
    )
    const filtered = site.newsStories.filter(
      ({ categoryId, date }) =>
        categoryId === 3 && date >= '2025-06-01' && date.slice(0, 10) <= '2025-12-31',
    )
    expect(filtered.length).toBeGreaterThan(0)
    expect(ids(body.items)).toEqual(ids(filtered))
  })
})

describe('announce', () => {
  const expired = site.announcements.filter(
    ({ expires }) => expires !== '' && expires < '2026-03-05',
  )

  test('leaves out what has expired, unless all or one are asked for', async () => {
    const { get } = await start()
    expect(expired).toHaveLength(1)
    const listed = await get('/apps/api/announce/')
    expect(ids(listed.body.items)).not.toContain(expired[0]?.id)
    const all = await get('/apps/api/announce/?All=1')
    expect(all.body.items).toEqual(site.announcements)
    const byId = await get(`/apps/api/announce/?ID=${expired[0]?.id}`)
    expect(byId.body.items).toEqual(expired)
  })

  test('filters by the date of creation, inclusive', async () => {
    const { get } = await start()
    const { body } = await get('/apps/api/announce/?StartDate=2026-03-02&EndDate=2026-03-03')
    expect(body.items.map(({ headline }: { headline: string }) => headline)).toEqual([
      'Burn ban in effect',
      'Hydrant flushing this week',
    ])
  })
})

test('the sample is the same for a date on whatever day it is looked at', () => {
  const later = sampleSiteOn('2026-03-20')
  for (const name of ['calendarEvents', 'publicEvents', 'newsStories'] as const) {
    const byId = new Map(later[name].map((record) => [record.id, record]))
    const shared = site[name].filter(({ id }) => byId.has(id))
    expect(shared.length).toBeGreaterThan(20)
    for (const record of shared) expect(byId.get(record.id)).toEqual(record)
  }
})
