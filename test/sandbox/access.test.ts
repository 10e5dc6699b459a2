import { describe, expect, test } from 'vitest'
import { failure, startSandbox } from '../support/sandbox.ts'

describe('the refresh endpoint', () => {
  test('trades a refresh token for an access token', async () => {
    const { refresh } = await startSandbox()
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
    const { call, refreshToken } = await startSandbox()
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
    const { refresh } = await startSandbox()
    const { body } = await refresh()
    expect((await refresh(body.access_token)).body).toEqual(
      failure(401, 'Unauthorized', 'token_invalid'),
    )
  })

  test('refuses a refresh token that is over', async () => {
    const { refresh, clock } = await startSandbox({ refreshTokenSeconds: 60 })
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
    const { call } = await startSandbox()
    const { status, body } = await call('GET', '/apps/api/news/', authorization)
    expect(status).toBe(401)
    expect(body).toEqual(failure(401, 'Unauthorized', code))
  })

  test('the refresh token is refresh_token_supplied', async () => {
    const { call, refreshToken } = await startSandbox()
    const { body } = await call('GET', '/apps/api/news/', `Bearer ${refreshToken}`)
    expect(body).toEqual(failure(401, 'Unauthorized', 'refresh_token_supplied'))
  })

  test('an access token is token_expired after 24 hours', async () => {
    const { call, refresh, clock } = await startSandbox()
    const { body: token } = await refresh()
    const news = () => call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
    await clock.advance(86_399_000)
    expect((await news()).status).toBe(200)
    await clock.advance(1000)
    expect((await news()).body).toEqual(failure(401, 'Unauthorized', 'token_expired'))
  })

  test('an access token is forgotten a day after it expired', async () => {
    const { call, refresh, clock } = await startSandbox()
    const { body: token } = await refresh()
    await clock.advance(2 * 86_400_000 + 1)
    await refresh()
    const { body } = await call('GET', '/apps/api/news/', `Bearer ${token.access_token}`)
    expect(body).toEqual(failure(401, 'Unauthorized', 'token_invalid'))
  })
})

describe('limits', () => {
  test('the 31st call of a minute is rate_limited with the seconds to wait', async () => {
    const { call, refresh, clock } = await startSandbox()
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
    const { refresh, clock } = await startSandbox()
    for (let failures = 0; failures < 10; failures += 1) {
      expect((await refresh('wrong')).body.code).toBe('token_invalid')
      await clock.advance(59_000)
    }
    expect((await refresh()).body).toEqual(failure(429, 'Too Many Requests', 'too_many_failures'))
    await clock.advance(60 * 60_000)
    expect((await refresh()).status).toBe(200)
  })

  test('nine failures, or ten over a longer time, block nobody', async () => {
    const { refresh, clock } = await startSandbox()
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
      const { call } = await startSandbox()
      const { status, body } = await call('GET', path)
      expect(status).toBe(404)
      expect(body).toEqual(failure(404, 'Not Found', 'unknown_endpoint'))
    },
  )

  test.for(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    '%s is method_not_allowed',
    async (method) => {
      const { call } = await startSandbox()
      const { status, headers, body } = await call(method, '/apps/api/news/', 'Bearer x', 'a=1')
      expect(status).toBe(405)
      expect(headers['allow']).toBe('GET')
      expect(body).toEqual(failure(405, 'Method Not Allowed', 'method_not_allowed'))
    },
  )

  test('HEAD is method_not_allowed too: data endpoints accept GET only', async () => {
    const { call } = await startSandbox()
    expect((await call('HEAD', '/apps/api/news/')).status).toBe(405)
  })

  test('without TLS everything is https_required', async () => {
    const { sandbox } = await startSandbox()
    const response = await fetch(`${sandbox.httpUrl}/apps/api/news/`)
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual(failure(403, 'Forbidden', 'https_required'))
  })

  test('a website without the service is api_disabled', async () => {
    const { refresh } = await startSandbox({ apiEnabled: false })
    expect((await refresh()).body).toEqual(failure(403, 'Forbidden', 'api_disabled'))
  })
})
