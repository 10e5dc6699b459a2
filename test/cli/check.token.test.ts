import { request } from 'undici'
import { expect, test } from 'vitest'
import { siteOf } from '../support/checked-site.ts'
import { agentFor } from '../support/sandbox.ts'

test('reports a wrong token and says how to fix it', async () => {
  const { check, settings } = await siteOf()
  // An access token must not be used with a refresh token other than the one that it was obtained
  // with.
  expect((await check()).code).toBe(0)
  const wrong = 'not-the-token-555-0199'
  const { code, stdout, stderr } = await check({ SITE_REFRESH_TOKEN: wrong })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^FAULT {2}No access token .*does not recognize SITE_REFRESH_TOKEN.*Members Area/m,
  )
  expect(stdout + stderr).not.toContain(wrong)
  expect(stdout + stderr).not.toContain(settings.SITE_REFRESH_TOKEN)
})

test('detects an access token in place of the refresh token', async () => {
  const { check, sandbox, settings } = await siteOf()
  const headers = { authorization: `Bearer ${settings.SITE_REFRESH_TOKEN}` }
  const refresh = { dispatcher: agentFor(sandbox), method: 'POST', headers } as const
  const answer = await request(`${sandbox.url}/apps/api/refresh/`, refresh)
  const { access_token: token } = (await answer.body.json()) as { readonly access_token: string }
  const { stdout } = await check({ SITE_REFRESH_TOKEN: token })
  expect(stdout).toMatch(/^FAULT {2}.*SITE_REFRESH_TOKEN is an access token, not a refresh token/m)
  expect(stdout).not.toContain(token)
})

test('reports that the website blocks this address without sending more token requests', async () => {
  const { check, sandbox } = await siteOf()
  const headers = { authorization: 'Bearer x' }
  const wrong = { dispatcher: agentFor(sandbox), method: 'POST', headers } as const
  for (let times = 0; times < 10; times += 1) {
    await (await request(`${sandbox.url}/apps/api/refresh/`, wrong)).body.dump()
  }
  const { stdout } = await check()
  expect(stdout).toMatch(/status 429.*blocks this IP address for an hour/)
})

test('reports how long to wait after three failed token requests', async () => {
  const { check } = await siteOf()
  for (let times = 0; times < 3; times += 1) {
    expect((await check({ SITE_REFRESH_TOKEN: 'wrong' })).stdout).toContain('does not recognize')
  }
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^FAULT .*next attempt in (?:9|10) min.*\)\. Recent token requests failed\./m,
  )
  expect(stdout).toContain('run check again after this wait')
  expect(stdout).not.toContain('FRESH_SECONDS')
})
