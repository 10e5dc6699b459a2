import { expect, test } from 'vitest'
import { resources } from '../../src/records/resources.ts'
import { checkSite, type Finding } from '../../src/check/site-check.ts'
import { serviceErrorCodes, UpstreamError } from '../../src/upstream/upstream-error.ts'
import type { UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

/** Returns the findings for a site with the given responses. */
async function findingsOf(
  answers: {
    readonly generated?: string
    readonly domain?: string
    readonly failure?: UpstreamErrorKind
    /** Endpoints that fail. All endpoints fail by default. */
    readonly failing?: string
    readonly tokenFailure?: UpstreamErrorKind
    readonly isAccessToken?: boolean
    readonly remoteMessage?: string
    readonly timeZone?: string
    readonly isOnPage?: boolean
  } = {},
): Promise<readonly Finding[]> {
  const { generated = '2026-03-05 10:00:30', domain = 'www.example.org' } = answers
  const { failure, failing, tokenFailure, remoteMessage, timeZone = 'America/New_York' } = answers
  const budget = { minute: { used: 14, max: 30 }, day: { used: 200, max: 5000 } }
  const findings = checkSite({
    dataService: {
      async readPage(endpoint) {
        if (failure && (failing ?? endpoint) === endpoint) {
          throw new UpstreamError(failure, `${endpoint}: 403 ${failure}`, { remoteMessage })
        }
        return { endpoint, domain, generated, startRow: 1, totalCount: 7, items: [] }
      },
    },
    async token() {
      if (tokenFailure) {
        throw new UpstreamError(tokenFailure, `token request: ${tokenFailure}`, { remoteMessage })
      }
      return undefined
    },
    isAccessToken: () => Promise.resolve(answers.isAccessToken === true),
    budget: () => Promise.resolve(budget),
    siteUrl: 'https://www.example.org',
    timeZone,
    feedsOf: (resource) => ({
      public: ['events', 'news'].filter((id) => id === resource),
      byLink: ['rental', 'calendar'].filter((id) => id === resource),
      ifNamed: ['minutes'].filter((id) => id === resource),
      ifNamedByLink: ['training', 'discuss'].filter((id) => id === resource),
    }),
    now: () => now,
    isOnPage: answers.isOnPage ?? false,
  })
  const found: Finding[] = []
  for await (const finding of findings) found.push(finding)
  return found
}

test('reports no problems for a healthy site', async () => {
  const findings = await findingsOf()
  expect(findings.map(({ check }) => check)).toEqual([
    'token',
    ...resources,
    'domain',
    'clock',
    'budget',
  ])
  expect(findings.every(({ ok }) => ok)).toBe(true)
  expect(findings.at(-1)?.sentence).toContain('14 of 30')
})

test.for([
  ['clock', { generated: '2026-03-05 10:01:59' }, true, 'agree in'],
  ['clock', { generated: '' }, true, 'does not report'],
  ['clock', { generated: '2026-03-05 09:00:10' }, false, '60 minutes behind America/New_York: its'],
  ['clock', { generated: '2026-03-05 20:30:00' }, false, '630 minutes ahead of America/New_York: '],
  ['clock', { generated: '2026-03-05 10:08:00' }, false, "8 minutes ahead of this machine's"],
  ['domain', { domain: 'elsewhere.example' }, true, 'elsewhere.example'],
] as const)('checks the %s: %j', async ([check, answers, ok, says]) => {
  const finding = (await findingsOf(answers)).find((each) => each.check === check)
  expect(finding).toMatchObject({ ok, sentence: expect.stringContaining(says) })
})

test('detects an access token in place of the refresh token', async () => {
  const findings = await findingsOf({ tokenFailure: 'token_invalid', isAccessToken: true })
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({ ok: false, code: 'token_invalid', reason: 'access token' })
  expect(findings[0]?.sentence).toContain('is an access token, not a refresh token')
})

test.for([
  { tokenFailure: 'token_invalid' },
  { tokenFailure: 'token_invalid', isAccessToken: true },
  { generated: '2026-03-05 09:00:10' },
] as const)('points to the form if the settings are entered on a page: %j', async (answers) => {
  const onPage = (await findingsOf({ ...answers, isOnPage: true })).find(({ ok }) => !ok)
  expect(onPage?.sentence).toMatch(/below[^.]*, then check again\./)
  expect(onPage?.sentence).not.toMatch(/SITE_|\.env|run check/)
  const elsewhere = (await findingsOf(answers)).find(({ ok }) => !ok)
  expect(elsewhere?.sentence).not.toContain('below')
})

test.for([
  { remoteMessage: 'Address 203.0.113.7 is not on the list.', sees: '203.0.113.7' },
  { remoteMessage: 'Not allowed: 2001:db8::7', sees: '2001:db8::7' },
  { remoteMessage: 'Refused at 10:30.', sees: undefined },
])('quotes the website’s message about an IP address: $said', async ({ remoteMessage, sees }) => {
  const [finding] = await findingsOf({ tokenFailure: 'ip_not_allowed', remoteMessage })
  expect(finding?.remoteMessage).toBe(remoteMessage)
  expect(finding?.sentence).toContain(`The website says: "${remoteMessage}"`)
  const seen = / appears to see this machine's address as (\S+)\. /.exec(
    finding?.sentence ?? '',
  )?.[1]
  expect(seen).toBe(sees)
})

async function refusalOf(failing: string): Promise<Finding | undefined> {
  const findings = await findingsOf({ failure: 'endpoint_not_allowed', failing })
  return findings.find(({ check }) => check === failing)
}

test('lists the feeds that a refused endpoint switches off', async () => {
  expect(await refusalOf('news')).toMatchObject({
    ok: false,
    feeds: { public: ['news'], byLink: [] },
    sentence: expect.stringMatching(
      /so the news feed is off\. Remove news from PUBLIC_FEEDS, or ask a website manager/,
    ),
  })
  expect(await refusalOf('rental')).toMatchObject({
    ok: true,
    feeds: { public: [], byLink: ['rental'] },
    sentence: expect.stringMatching(
      /so the rental feed \(available only through feed links\) is off/,
    ),
  })
  expect((await refusalOf('databases'))?.sentence).toContain('(not needed)')
  expect((await refusalOf('minutes'))?.sentence).toContain(
    '(needed only if PUBLIC_FEEDS or a feed link names minutes)',
  )
  expect((await refusalOf('members'))?.sentence).toContain(
    '(needed only if a feed link is for a member)',
  )
})

test.for(serviceErrorCodes)(
  'reports that a token request failed with %s, and says how to fix it',
  async (tokenFailure) => {
    const [finding, ...more] = await findingsOf({ tokenFailure })
    expect(finding).toMatchObject({ check: 'token', ok: false, code: tokenFailure })
    expect(finding?.sentence).toMatch(/^No access token \(.*\)\. [A-Z].{30,}/)
    expect(more).toEqual([])
  },
)

test.for(['server_error', 'timeout', 'interrupted', 'unexpected_answer', 'rate_limited'] as const)(
  'reports an outage in a single finding: %s',
  async (failure) => {
    const findings = await findingsOf({ failure })
    expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
      ['token', true],
      ['site', false],
    ])
    expect(findings[1]).toMatchObject({
      code: failure,
      sentence: expect.stringMatching(
        /^The website's API does not work: announce and calendar failed/,
      ),
    })
  },
)

test.for(['timeout', 'endpoint_not_allowed'] as const)(
  'reports that a public feed needs an endpoint that fails with %s, and still tests the others',
  async (failure) => {
    const findings = await findingsOf({ failure, failing: 'news' })
    expect(findings.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(['news'])
    expect(findings).toHaveLength(17)
  },
)

test.for(serviceErrorCodes)(
  'reports that reading a resource failed with %s, and says how to fix it',
  async (failure) => {
    const [, first] = await findingsOf({ failure, failing: 'announce' })
    const isAboutTheRest = failure === 'endpoint_not_allowed'
    expect(first).toMatchObject({ check: 'announce', ok: isAboutTheRest, code: failure })
    expect(first?.sentence.length).toBeGreaterThan(50)
  },
)

test.for(['unreachable', 'tls', 'token_invalid', 'project_disabled', 'too_many_failures'] as const)(
  'skips the remaining checks after %s',
  async (failure) => {
    expect(await findingsOf({ failure })).toHaveLength(2)
  },
)
