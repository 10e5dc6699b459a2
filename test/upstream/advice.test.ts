import { expect, test } from 'vitest'
import { adviceFor } from '../../src/upstream/advice.ts'
import { serviceErrorCodes } from '../../src/upstream/upstream-error.ts'

test.for([
  { kind: 'token_invalid', names: 'SITE_REFRESH_TOKEN' },
  { kind: 'refresh_expired', names: 'Members Area' },
  { kind: 'project_disabled', names: 'Members Area' },
  { kind: 'api_disabled', names: 'operator' },
  { kind: 'ip_not_allowed', names: 'address of this machine' },
  { kind: 'endpoint_not_allowed', names: 'endpoint' },
  { kind: 'too_many_failures', names: 'an hour' },
  { kind: 'rate_limited', names: 'CALLS_PER_DAY' },
  { kind: 'tls', names: 'SITE_CA_FILE' },
  { kind: 'unreachable', names: 'SITE_URL' },
] as const)('$kind tells the webmaster of $names', ({ kind, names }) => {
  expect(adviceFor(kind)).toContain(names)
})

test.for(serviceErrorCodes)('%s is explained in a sentence', (code) => {
  expect(adviceFor(code)).toMatch(/^[A-Z].{30,}\.$/)
})
