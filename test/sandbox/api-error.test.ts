import { describe, expect, test } from 'vitest'
import { resourceNames } from '../../src/sandbox/resources/resources.ts'
import { createManager } from '../support/manager.ts'
import { failure, rejected, startSandbox } from '../support/sandbox.ts'

/* Tests the specification's section "Errors" and the order of the checks. */

const paths = resourceNames.map((name) => `/apps/api/${name}/`)

describe('any request to an unknown path is rejected with unknown_endpoint', () => {
  const unknownPaths = `/ /apps/ /apps/api /apps/api/ /apps/api/nothing/ /apps/api/news
    /apps/api/news// //apps/api/news/ /apps/api/News/ /apps/api/ne%77s/ /apps/api/news/1
    /apps/api/news/../events/x /apps/api/constructor/ /apps/api/__proto__/ /%ff /apps/api/%ff/
    /files/nothing.jpg /files/%ff /files/../sample-dataset.ts /manage/ /manage/nothing/`

  test.for(unknownPaths.split(/\s+/))('%s', async (path) => {
    const { call } = await startSandbox()
    const unknown = failure(404, 'unknown_endpoint')
    expect((await call('GET', path)).body).toEqual(unknown)
    expect((await call('DELETE', path, 'Bearer x')).body).toEqual(unknown)
  })
})

describe('a request with the wrong method is rejected with method_not_allowed', () => {
  test.for(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])(
    'if it is %s to any data endpoint',
    async (method) => {
      const { call } = await startSandbox()
      for (const path of paths) {
        const answer = await call(method, path, 'Bearer x')
        expect(answer).toEqual(rejected(405, 'method_not_allowed'))
        expect(answer.headers['allow']).toBe('GET')
      }
    },
  )

  test('even if it is HEAD, because data endpoints accept only GET', async () => {
    const { call } = await startSandbox()
    expect(await call('HEAD', '/apps/api/news/')).toMatchObject({ status: 405, text: '' })
  })

  test.for(['GET', 'HEAD', 'PUT', 'OPTIONS'])(
    'if it is %s to the refresh endpoint',
    async (method) => {
      const { call, refreshToken } = await startSandbox()
      expect(await call(method, '/apps/api/refresh/', `Bearer ${refreshToken}`)).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
      })
    },
  )
})

test('any request over plain HTTP is rejected with https_required', async () => {
  const { sandbox, refreshToken } = await startSandbox()
  for (const path of ['/', '/apps/api/news/', '/apps/api/refresh/', '/manage/api/', '/files/x']) {
    const response = await fetch(`${sandbox.httpUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${refreshToken}` },
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual(failure(403, 'https_required'))
  }
})

test('an unhandled exception returns server_error and is reported to the operator', async () => {
  const reported: unknown[] = []
  const broken = new Error('the records are broken')
  const { get } = await startSandbox({
    datasetOn: () => {
      throw broken
    },
    report: (error) => void reported.push(error),
  })
  const response = await get('/apps/api/news/')
  expect(response).toEqual(rejected(500, 'server_error'))
  expect(response.text).not.toContain(broken.message)
  expect(reported).toEqual([broken])
})

/*
 * A request with every fault gets the error of the first check. Fixing that fault reveals the next one, in
 * the order of docs/sandbox.md.
 */
test('runs its checks in the specified order', async () => {
  const options = { callsPerMinute: 2, refreshTokenSeconds: 3600, accessTokenSeconds: 60 }
  const { sandbox, request, call, callerAt, refresh, clock } = await startSandbox(options)
  const manager = await createManager(sandbox)
  const away = callerAt('127.0.0.9')
  const { body: old } = await refresh()
  await clock.advance(60_000)
  const { body: token } = await refresh()
  await manager.setProject(1, { status: 'Disabled', endpoints: ['events'], ips: ['127.0.0.9'] })
  const bad = '/apps/api/news/?MaxRows=0&ID=999'
  const codes: unknown[] = []
  const note = ({ body }: { readonly body: { readonly code?: string; readonly count?: number } }) =>
    void codes.push(body.code ?? body.count)

  const plain = await fetch(`${sandbox.httpUrl}/apps/api/nothing/`, { method: 'POST' })
  note({ body: (await plain.json()) as { code: string } })
  note(await request('POST', '/apps/api/nothing/'))
  note(await request('POST', bad))
  note(await request('GET', bad))
  note(await call('GET', bad, 'Bearer x'))
  note(await call('GET', bad, `Bearer ${old.access_token}`))
  const authorization = `Bearer ${token.access_token}`
  note(await call('GET', bad, authorization))
  await manager.setProject(1, { endpoints: ['events'], ips: ['127.0.0.9'] })
  note(await call('GET', bad, authorization))
  note(await away('GET', bad, { authorization }))
  await manager.setProject(1, { ips: ['127.0.0.9'] })
  note(await away('GET', bad, { authorization }))
  note(await away('GET', bad, { authorization }))
  const order = `https_required unknown_endpoint method_not_allowed token_missing token_invalid
    token_expired project_disabled ip_not_allowed endpoint_not_allowed invalid_parameter rate_limited`
  expect(codes).toEqual(order.split(/\s+/))
})

test('checks for blocks and a disabled service after the path and method but before the token', async () => {
  const { refresh, call } = await startSandbox({ apiEnabled: true })
  for (let failures = 0; failures < 10; failures += 1) await refresh('wrong')
  expect((await call('GET', '/apps/api/nothing/')).body.code).toBe('unknown_endpoint')
  expect((await call('POST', '/apps/api/news/')).body.code).toBe('method_not_allowed')
  expect((await call('GET', '/apps/api/news/')).body.code).toBe('too_many_failures')
  const off = await startSandbox({ apiEnabled: false })
  expect((await off.call('GET', '/apps/api/nothing/')).body.code).toBe('unknown_endpoint')
  expect((await off.call('POST', '/apps/api/news/')).body.code).toBe('method_not_allowed')
  expect((await off.call('GET', '/apps/api/news/')).body.code).toBe('api_disabled')
})
