import { expect, test } from 'vitest'
import { isTakenAsAccessToken } from '../../src/upstream/data-service.ts'
import { serviceErrorCodes } from '../../src/upstream/upstream-error.ts'

/** Codes that the service returns only after it has recognized the access token. */
const accepted = new Set([
  'token_expired',
  'project_disabled',
  'ip_not_allowed',
  'endpoint_not_allowed',
])

test.for(serviceErrorCodes)('an access token that gets %s is recognized or not', async (code) => {
  const body = { status: 401, error: 'Unauthorized', code, message: '' }
  const request = async () => ({ status: 401, body, bodyBytes: 1, retryAfterMs: undefined })
  expect(await isTakenAsAccessToken({ request }, 'token')).toBe(accepted.has(code))
})
