import { expect, test } from 'vitest'
import { createAdmin, testPassword } from '../../support/admin.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'

const minuteMs = 60_000
const form = { password: testPassword }

test('does not block a known browser because of failed attempts by other clients', async () => {
  await using service = await startTestService({
    environment: { ADMIN_PASSWORD: testPassword, TRUST_PROXY: '1' },
    publicFeedIds: ['events'],
  })
  /** Signs in from an IP address that a proxy reports. */
  async function signInFrom(address: string, { password = testPassword, cookie = '' } = {}) {
    const body = new URLSearchParams({ password }).toString()
    const headers = {
      Host: new URL(service.url).host,
      Origin: service.url,
      Cookie: cookie,
      'X-Forwarded-For': address,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    }
    const text = requestText('/admin/sign-in', { method: 'POST', headers })
    return (await exchange(service.url, `${text}${body}`)).status
  }
  const signedIn = await createAdmin(service.url).post('/admin/sign-in', { form })
  const [, browser = ''] = [signedIn.headers['set-cookie']].flat()
  const [cookie = ''] = browser.split(';')
  await service.clock.advance(minuteMs)
  for (let network = 0; network < 12; network += 1) {
    for (let time = 0; time < 5; time += 1) {
      expect(await signInFrom(`198.51.100.${network}`, { password: 'wrong' })).toBe(403)
    }
  }
  expect(await signInFrom('192.0.2.1')).toBe(429)
  expect(await signInFrom('192.0.2.1', { cookie: `${cookie.slice(0, -1)}!` })).toBe(429)
  expect(await signInFrom('192.0.2.1', { cookie })).toBe(303)
})
