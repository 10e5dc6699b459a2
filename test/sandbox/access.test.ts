import { describe, expect, test } from 'vitest'
import { failure, rejected, startSandbox } from '../support/sandbox.ts'
import { createManager } from '../support/manager.ts'

/* Tests the specification's sections "Refresh endpoint", "Authentication" and "Related state of credentials". */

const invalid = failure(401, 'token_invalid')

describe('the refresh endpoint', () => {
  test('exchanges a refresh token for an access token', async () => {
    const { refresh } = await startSandbox()
    const { status, body } = await refresh()
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      endpoint: 'refresh',
      domain: 'localhost',
      project: 'demo',
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[\w-]{44}$/),
      expires_in: 86_400,
      access_token_expire: '2026-03-06 10:00:00',
    })
  })

  test('requires no request body and ignores one', async () => {
    const { call, refreshToken } = await startSandbox()
    const { status } = await call('POST', '/apps/api/refresh/', `Bearer ${refreshToken}`, 'a=1')
    expect(status).toBe(200)
  })

  test('rejects an access token', async () => {
    const { refresh } = await startSandbox()
    const { body } = await refresh()
    expect((await refresh(body.access_token)).body).toEqual(invalid)
  })

  test('issues refresh tokens that are valid for 1 year', async () => {
    const { refresh, clock } = await startSandbox()
    const yearMs = 365 * 86_400_000
    await clock.advance(yearMs - 1)
    expect((await refresh()).status).toBe(200)
    await clock.advance(1)
    expect(await refresh()).toEqual(rejected(403, 'refresh_expired'))
  })
})

describe('an access token', () => {
  test('is valid for 24 hours', async () => {
    const { call, refresh, clock } = await startSandbox()
    const { body: token } = await refresh()
    const news = () => call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
    await clock.advance(86_399_999)
    expect((await news()).status).toBe(200)
    await clock.advance(1)
    expect(await news()).toEqual(rejected(401, 'token_expired'))
  })

  test('stays valid when another one is issued', async () => {
    const { call, refresh } = await startSandbox()
    const { body: first } = await refresh()
    await refresh()
    expect((await call('GET', '/apps/api/news/', `Bearer ${first.access_token}`)).status).toBe(200)
  })

  test('is reported as expired for 90 days, regardless of how long it was valid', async () => {
    const accessTokenSeconds = 40 * 86_400
    const { call, refresh, clock } = await startSandbox({ accessTokenSeconds })
    const { body: token } = await refresh()
    const codeAfter = async (days: number) => {
      await clock.advance(days * 86_400_000)
      await refresh()
      const { body } = await call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
      return body.code
    }
    expect(await codeAfter(39)).toBeUndefined()
    expect(await codeAfter(91)).toBe('token_expired')
    expect(await codeAfter(1)).toBe('token_invalid')
  })
})

describe('regenerating a project’s refresh token', () => {
  test('immediately revokes the old token and all of the project’s active access tokens', async () => {
    const { sandbox, call, refresh } = await startSandbox()
    const manager = await createManager(sandbox)
    const { id: other, refreshToken: otherToken } = await manager.addProject('Other')
    const tokens = [(await refresh()).body, (await refresh()).body]
    const otherAccess = (await refresh(otherToken)).body.access_token
    expect(other).toBe(2)

    const newToken = await manager.regenerate(1)
    for (const { access_token } of tokens) {
      const { body } = await call('GET', '/apps/api/news/', `Bearer ${access_token}`)
      expect(body).toEqual(invalid)
    }
    expect((await refresh()).body).toEqual(invalid)
    expect((await refresh(newToken)).body).toMatchObject({ project: 'demo' })
    expect((await call('GET', '/apps/api/news/', `Bearer ${otherAccess}`)).status).toBe(200)
  })
})

describe('the header Authorization: Bearer <token>', () => {
  test('is required, or both kinds of endpoint respond with token_missing', async () => {
    const { call } = await startSandbox()
    const missing = failure(401, 'token_missing')
    const { headers, body } = await call('GET', '/apps/api/news/')
    expect(body).toEqual(missing)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect((await call('POST', '/apps/api/refresh/')).body).toEqual(missing)
  })

  test.for([
    ['an unknown token', 'Bearer abc'],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer'],
    ['nothing at all', ''],
    ['two tokens', 'Bearer a b'],
    ['a token alone', 'abc'],
    ['a very long token', `Bearer ${'a'.repeat(20_000)}`],
    ['text that is not ASCII', 'Bearer \u00e4\u00f6'],
  ] as const)('with %s is rejected with token_invalid', async ([, authorization]) => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/apps/api/news/', authorization)
    expect(answer).toEqual(rejected(401, 'token_invalid'))
  })

  test('with half of a token is rejected with token_invalid', async () => {
    const { call, refresh } = await startSandbox()
    const token: string = (await refresh()).body.access_token
    const wrongSecret = token.slice(0, 12) + token.slice(12).split('').toReversed().join('')
    for (const part of [token.slice(0, 12), token.slice(12), `${token}x`, wrongSecret]) {
      expect((await call('GET', '/apps/api/news/', `Bearer ${part}`)).body).toEqual(invalid)
    }
  })

  test('may have its scheme in upper or lower case', async () => {
    const { call, refreshToken } = await startSandbox()
    const { status } = await call('POST', '/apps/api/refresh/', `bearer ${refreshToken}`)
    expect(status).toBe(200)
  })

  test('sent twice is rejected with token_invalid, even if both copies are valid', async () => {
    const { send, refreshToken } = await startSandbox()
    const line = `Authorization: Bearer ${refreshToken}\r\n`
    const head = `POST /apps/api/refresh/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
    expect((await send(`${head}${line}\r\n`)).status).toBe(200)
    expect((await send(`${head}${line}${line}\r\n`)).body).toEqual(invalid)
  })

  test('with a refresh token is rejected by data endpoints with refresh_token_supplied', async () => {
    const { call, refreshToken } = await startSandbox()
    expect(await call('GET', '/apps/api/news/', `Bearer ${refreshToken}`)).toEqual(
      rejected(401, 'refresh_token_supplied'),
    )
  })
})

describe('an API Project', () => {
  test('with the status Disabled gets project_disabled from both kinds of endpoint until it is enabled', async () => {
    const { sandbox, refresh, get } = await startSandbox()
    const manager = await createManager(sandbox)
    await get('/apps/api/news/')
    await manager.setProject(1, { status: 'Disabled' })
    const disabled = failure(403, 'project_disabled')
    expect((await get('/apps/api/news/')).body).toEqual(disabled)
    expect((await refresh()).body).toEqual(disabled)
    await manager.setProject(1, { status: 'Enabled' })
    expect((await get('/apps/api/news/')).status).toBe(200)
  })

  test('limited to some endpoints gets endpoint_not_allowed from the others', async () => {
    const { sandbox, get, refresh } = await startSandbox()
    const manager = await createManager(sandbox)
    await manager.setProject(1, { endpoints: ['news', 'events'] })
    expect((await refresh()).status).toBe(200)
    expect((await get('/apps/api/news/')).status).toBe(200)
    expect((await get('/apps/api/events/')).status).toBe(200)
    expect(await get('/apps/api/members/')).toEqual(rejected(403, 'endpoint_not_allowed'))
  })

  test('limited to some IP addresses gets ip_not_allowed if it calls from another address', async () => {
    const { sandbox, refresh, get, callerAt, refreshToken } = await startSandbox()
    const manager = await createManager(sandbox)
    await manager.setProject(1, { ips: ['127.0.0.2', '2001:db8::1'] })
    expect(await refresh()).toEqual(rejected(403, 'ip_not_allowed'))
    const authorization = `Bearer ${refreshToken}`
    const allowed = await callerAt('127.0.0.2')('POST', '/apps/api/refresh/', { authorization })
    expect(allowed.status).toBe(200)
    const token = { authorization: `Bearer ${allowed.body.access_token}` }
    expect((await callerAt('127.0.0.2')('GET', '/apps/api/news/', token)).status).toBe(200)
    const elsewhere = await callerAt('127.0.0.3')('GET', '/apps/api/news/', token)
    expect(elsewhere.body).toEqual(failure(403, 'ip_not_allowed'))
    await manager.setProject(1, { ips: [] })
    expect((await get('/apps/api/news/')).status).toBe(200)
  })
})

test('a website that has not enabled the service responds to any token with api_disabled', async () => {
  const { refresh, call } = await startSandbox({ apiEnabled: false })
  const disabled = failure(403, 'api_disabled')
  expect((await refresh()).body).toEqual(disabled)
  expect((await call('GET', '/apps/api/news/')).body).toEqual(disabled)
})
