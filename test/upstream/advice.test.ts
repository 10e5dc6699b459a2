import { expect, test } from 'vitest'
import { adviceFor } from '../../src/upstream/advice.ts'

test.for([
  { kind: 'token_invalid', names: 'SITE_REFRESH_TOKEN' },
  { kind: 'refresh_expired', names: 'Members Area' },
  { kind: 'project_disabled', names: 'Members Area' },
  { kind: 'api_disabled', names: 'operator' },
  { kind: 'ip_not_allowed', names: 'address of this machine' },
  { kind: 'endpoint_not_allowed', names: 'endpoint' },
  { kind: 'too_many_failures', names: 'an hour' },
  { kind: 'tls', names: 'SITE_CA_FILE' },
] as const)('$kind tells the webmaster of $names', ({ kind, names }) => {
  expect(adviceFor(kind)).toContain(names)
})

test('what passes by itself needs nobody', () => {
  expect(adviceFor('network')).toBeUndefined()
  expect(adviceFor('rate_limited')).toBeUndefined()
})
