import { expect, test } from 'vitest'
import { resources } from '../../src/records/resources.ts'
import { checkSite, type Finding } from '../../src/upstream/site-check.ts'
import { serviceErrorCodes, UpstreamError } from '../../src/upstream/upstream-error.ts'
import type { UpstreamErrorKind } from '../../src/upstream/upstream-error.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

/** What checking a site finds that answers so. */
async function findingsOf(
  answers: {
    readonly generated?: string
    readonly domain?: string
    readonly failure?: UpstreamErrorKind
    /** What fails; without it, everything. */
    readonly failing?: string
    readonly tokenFailure?: UpstreamErrorKind
  } = {},
): Promise<readonly Finding[]> {
  const { generated = '2026-03-05 10:00:30', domain = 'www.example.org' } = answers
  const { failure, failing, tokenFailure } = answers
  const budget = { minute: { used: 14, most: 30 }, day: { used: 200, most: 5000 } }
  const findings = checkSite({
    dataService: {
      async readPage(endpoint) {
        if (failure && (failing ?? endpoint) === endpoint) {
          throw new UpstreamError(failure, `${endpoint}: 403 ${failure}`)
        }
        return { endpoint, domain, generated, startRow: 1, totalCount: 7, items: [] }
      },
    },
    async token() {
      if (tokenFailure) throw new UpstreamError(tokenFailure, `token request: ${tokenFailure}`)
    },
    budget: () => Promise.resolve(budget),
    siteUrl: 'https://www.example.org',
    timeZone: 'America/New_York',
    needed: ['events', 'news'],
    now: () => now,
  })
  const found: Finding[] = []
  for await (const finding of findings) found.push(finding)
  return found
}

test('a site in order has nothing but good findings', async () => {
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
  { name: 'agrees', generated: '2026-03-05 10:01:59', ok: true, says: 'agrees' },
  { name: 'is not told', generated: '', ok: true, says: 'does not tell' },
  {
    name: 'is of another zone',
    generated: '2026-03-05 09:00:10',
    ok: false,
    says: '60 minutes behind America/New_York: set SITE_TIME_ZONE',
  },
  {
    name: 'is of a zone at half an hour',
    generated: '2026-03-05 20:30:00',
    ok: false,
    says: '630 minutes ahead of America/New_York: set SITE_TIME_ZONE',
  },
  {
    name: 'is wrong',
    generated: '2026-03-05 10:08:00',
    ok: false,
    says: "8 minutes ahead of this machine's",
  },
])('a clock that $name', async ({ generated, ok, says }) => {
  const finding = (await findingsOf({ generated })).find(({ check }) => check === 'clock')
  expect(finding).toMatchObject({ ok, sentence: expect.stringContaining(says) })
})

test('another domain is a warning, no fault', async () => {
  const findings = await findingsOf({ domain: 'elsewhere.example' })
  expect(findings.find(({ check }) => check === 'domain')).toMatchObject({
    ok: true,
    sentence: expect.stringContaining('elsewhere.example'),
  })
})

test('a refused endpoint that no published feed needs is no fault', async () => {
  const findings = await findingsOf({ failure: 'endpoint_not_allowed', failing: 'members' })
  expect(findings.filter(({ ok }) => !ok)).toEqual([])
  expect(findings.find(({ check }) => check === 'members')?.code).toBe('endpoint_not_allowed')
})

test('a refused endpoint that a published feed needs is one, and the rest is tried', async () => {
  const findings = await findingsOf({ failure: 'endpoint_not_allowed', failing: 'news' })
  expect(findings.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(['news'])
  expect(findings).toHaveLength(17)
})

test.for(serviceErrorCodes)(
  '%s of a token request is told with what to do',
  async (tokenFailure) => {
    const [finding, ...more] = await findingsOf({ tokenFailure })
    expect(finding).toMatchObject({ check: 'token', ok: false, code: tokenFailure })
    expect(finding?.sentence).toMatch(/^There is no access token \(.*\)\. [A-Z].{30,}/)
    expect(more).toEqual([])
  },
)

test.for(serviceErrorCodes)('%s of a resource is told with what to do', async (failure) => {
  const [, first] = await findingsOf({ failure })
  const isAboutTheRest = failure === 'endpoint_not_allowed'
  expect(first).toMatchObject({ check: 'announce', ok: isAboutTheRest, code: failure })
  expect(first?.sentence.length).toBeGreaterThan(60)
})

test.for(['unreachable', 'tls', 'token_invalid', 'project_disabled', 'too_many_failures'] as const)(
  'after %s nothing more is tried',
  async (failure) => {
    expect(await findingsOf({ failure })).toHaveLength(2)
  },
)
