import { describe, expect, test } from 'vitest'
import { createManager } from '../../support/manager.ts'
import { failure, rejected, startSandbox } from '../../support/sandbox.ts'

/* Tests the specification's section "Limits" and the lockout in "Authentication". */

const limited = failure(429, 'rate_limited')
const blocked = failure(429, 'too_many_failures')

describe('the limit of 30 calls per minute for each API Project', () => {
  test('rejects excess calls with rate_limited, and with whole seconds in Retry-After', async () => {
    const { call, refresh, clock } = await startSandbox()
    const { body: token } = await refresh()
    const news = () => call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
    for (let calls = 1; calls < 30; calls += 1) expect((await news()).status).toBe(200)
    await clock.advance(20_500)
    const answer = { status: 429, headers: { 'retry-after': '40' }, body: limited }
    expect(await news()).toMatchObject(answer)
    await clock.advance(39_499)
    expect((await news()).headers['retry-after']).toBe('1')
    await clock.advance(1)
    expect((await news()).status).toBe(200)
  })

  test('applies to the refresh endpoint', async () => {
    const { refresh } = await startSandbox({ callsPerMinute: 2 })
    await refresh()
    await refresh()
    expect((await refresh()).body).toEqual(limited)
  })

  test('does not count calls that are rejected before the throttle', async () => {
    const { call, refresh, get } = await startSandbox({ callsPerMinute: 2 })
    for (const path of ['/apps/api/news/', '/apps/api/nothing/']) await call('GET', path)
    expect((await get('/apps/api/news/')).status).toBe(200)
    expect((await refresh()).body).toEqual(limited)
  })

  test('counts calls that are rejected after the throttle', async () => {
    const { get } = await startSandbox({ callsPerMinute: 2 })
    expect((await get('/apps/api/news/?ID=x')).status).toBe(400)
    expect((await get('/apps/api/news/')).body).toEqual(limited)
  })

  test('does not make clients wait longer because of rejected calls', async () => {
    const { get, clock } = await startSandbox({ callsPerMinute: 2 })
    await get('/apps/api/news/')
    for (let refused = 0; refused < 5; refused += 1) {
      await clock.advance(10_000)
      expect((await get('/apps/api/news/')).body).toEqual(limited)
    }
    await clock.advance(10_000)
    expect((await get('/apps/api/news/')).status).toBe(200)
  })

  test('applies to each project separately', async () => {
    const { sandbox, refresh, get } = await startSandbox({ callsPerMinute: 2 })
    const { refreshToken } = await (await createManager(sandbox)).addProject('Other')
    await get('/apps/api/news/')
    expect((await get('/apps/api/news/')).body).toEqual(limited)
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

describe('the limit of 5000 calls per day for each API Project', () => {
  test('rejects excess calls with rate_limited until a day after the first call', async () => {
    const { get, clock } = await startSandbox({ callsPerMinute: 10, callsPerDay: 3 })
    await get('/apps/api/news/')
    await clock.advance(3_600_000)
    expect((await get('/apps/api/news/')).status).toBe(200)
    const answer = { headers: { 'retry-after': String(23 * 3600) }, body: limited }
    expect(await get('/apps/api/news/')).toMatchObject(answer)
    await clock.advance(23 * 3_600_000)
    expect((await get('/apps/api/events/')).body.code).toBe('token_expired')
  })

  test('reports the longer wait if both limits are reached', async () => {
    const { get } = await startSandbox({ callsPerMinute: 2, callsPerDay: 2 })
    await get('/apps/api/news/')
    expect((await get('/apps/api/news/')).headers['retry-after']).toBe('86400')
  })
})

describe('the limit of 10 failed token requests within 10 minutes from one IP address', () => {
  test('blocks every request from the address with too_many_failures for 60 minutes', async () => {
    const { refresh, get, call, clock } = await startSandbox()
    expect((await get('/apps/api/news/')).status).toBe(200)
    await failTimes(10, refresh)
    const answer = await refresh()
    expect(answer).toEqual(rejected(429, 'too_many_failures'))
    expect(answer.headers).not.toHaveProperty('retry-after')
    expect((await get('/apps/api/news/')).body).toEqual(blocked)
    expect((await call('GET', '/apps/api/news/')).body).toEqual(blocked)
    await clock.advance(60 * 60_000 - 1)
    expect((await refresh()).body).toEqual(blocked)
    await clock.advance(1)
    expect((await refresh()).status).toBe(200)
  })

  test('starts counting again after the block', async () => {
    const { refresh, clock } = await startSandbox({ lockoutSeconds: 5 })
    await failTimes(10, refresh)
    await clock.advance(5000)
    await failTimes(9, refresh)
    expect((await refresh()).status).toBe(200)
  })

  test('allows nine failures, or ten over a longer time', async () => {
    const { refresh, clock } = await startSandbox()
    for (let failures = 0; failures < 12; failures += 1) {
      await refresh('wrong')
      await clock.advance(70_000)
    }
    expect((await refresh()).status).toBe(200)
  })

  test('does not block any other address', async () => {
    const { refresh, refreshToken, callerAt } = await startSandbox()
    await failTimes(10, refresh)
    const headers = { authorization: `Bearer ${refreshToken}` }
    const { status } = await callerAt('127.0.0.2')('POST', '/apps/api/refresh/', headers)
    expect(status).toBe(200)
  })

  test.for([
    { name: 'no token', fail: 'missing', code: 'token_missing' },
    { name: 'an access token', fail: 'access', code: 'token_invalid' },
    { name: 'an expired refresh token', fail: 'expired', code: 'refresh_expired' },
  ] as const)('counts $name as a failed token request', async ({ fail, code }) => {
    const { refresh, call, refreshToken, clock } = await startSandbox({ refreshTokenSeconds: 60 })
    const { body: token } = await refresh()
    if (fail === 'expired') await clock.advance(60_000)
    const tokens = { missing: undefined, access: token.access_token, expired: refreshToken }
    const authorization = tokens[fail] === undefined ? undefined : `Bearer ${tokens[fail]}`
    for (let failures = 0; failures < 10; failures += 1) {
      const { body } = await call('POST', '/apps/api/refresh/', authorization)
      expect(body.code).toBe(code)
    }
    expect((await refresh()).body).toEqual(blocked)
  })

  test('does not count a data request with a wrong token', async () => {
    const { refresh, call } = await startSandbox()
    for (let failures = 0; failures < 12; failures += 1) {
      await call('GET', '/apps/api/news/', 'Bearer wrong')
    }
    expect((await refresh()).status).toBe(200)
  })
})

async function failTimes(times: number, refresh: (token: string) => Promise<{ body: object }>) {
  for (let failures = 0; failures < times; failures += 1) {
    expect((await refresh('wrong')).body).toMatchObject({ code: 'token_invalid' })
  }
}
