import { expect, test } from 'vitest'
import { adviceFor } from '../../src/upstream/advice.ts'
import { upstreamErrorKinds, type FaultReason } from '../../src/upstream/upstream-error.ts'

test.for([
  { kind: 'token_invalid', names: 'SITE_REFRESH_TOKEN' },
  { kind: 'refresh_expired', names: 'Members Area' },
  { kind: 'project_disabled', names: 'Members Area' },
  { kind: 'api_disabled', names: 'operator' },
  { kind: 'ip_not_allowed', names: 'public address' },
  { kind: 'endpoint_not_allowed', names: 'endpoint' },
  { kind: 'too_many_failures', names: 'an hour' },
  { kind: 'rate_limited', names: 'CALLS_PER_DAY' },
  { kind: 'tls', names: 'SITE_CA_FILE' },
  { kind: 'unreachable', names: 'SITE_URL' },
] as const)('advice for $kind mentions $names', ({ kind, names }) => {
  expect(adviceFor({ kind })).toContain(names)
})

test('says what is wrong with a response of the API, before and after it has worked', () => {
  const detail = 'news: totalCount is missing'
  for (const hasWorked of [false, true]) {
    const advice = adviceFor({ kind: 'unexpected_answer', detail }, { hasWorked })
    expect(advice).toMatch(
      /^The website's API does not respond as documented: news: totalCount is /,
    )
    expect(advice).not.toContain('SITE_URL')
  }
})

/** Names the person who can fix the problem, or says that it resolves itself. */
const who =
  /website manager|website's operator|server's administrator|(?:Check|Compare|Set|Correct) SITE_|Report this as a bug|automatically/

test.for(upstreamErrorKinds)('advice for %s names the person who can fix it', (kind) => {
  expect(adviceFor({ kind })).toMatch(/^[A-Z].{30,}\.$/)
  expect(adviceFor({ kind })).toMatch(who)
})

test('sends people to the form only if the settings are entered on a page', () => {
  const form = /(?:token below|Enter it below)[^.]*, then check again\.$/
  const differ = upstreamErrorKinds.filter(
    (kind) => adviceFor({ kind }, { isOnPage: true }) !== adviceFor({ kind }),
  )
  expect(differ.toSorted()).toEqual([
    'refresh_expired',
    'token_invalid',
    'token_requests_paused',
    'too_many_failures',
  ])
  for (const kind of differ) {
    expect(adviceFor({ kind }, { isOnPage: true })).toMatch(form)
    expect(adviceFor({ kind })).not.toContain('below')
  }
})

const reasons: readonly FaultReason[] = [
  ...(['name unknown', 'name server', 'refused', 'no route', 'no answer'] as const),
  ...(['certificate expired', 'certificate not yet valid', 'certificate self-signed'] as const),
  ...(['certificate from an unknown authority', 'certificate of another host', 'no TLS'] as const),
  ...(['web page', 'redirect'] as const),
]
const adviceOn = (reason: FaultReason) => adviceFor({ kind: 'unreachable', reason })

test.for(reasons)('advice for %s is unique and names the person who can fix it', (reason) => {
  const advice = adviceOn(reason)
  expect(advice).toMatch(/^[A-Z].{30,}\.$/)
  expect(advice).toMatch(who)
  expect(reasons.filter((other) => adviceOn(other) === advice)).toEqual([reason])
})
