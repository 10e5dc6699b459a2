import { expect, test } from 'vitest'
import { sharedService } from '../../support/shared-service.ts'

const service = sharedService()

const get = async (path: string, accept = '*/*') =>
  fetch(`${service().url}${path}`, { headers: { accept } })

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('shows the status as a page to browsers, and as JSON to programs', async () => {
  const page = await get('/status', browser)
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('Vary')).toContain('Accept')
  const text = await page.text()
  expect(text).toContain('Everything works')
  expect(text).toContain('<li>Everything has been read and is up to date.</li>')
  expect(text).toMatch(/<th scope="row">Events<\/th><td>\d+<\/td><td>Today, 10 AM</)
  for (const [path, accept] of [
    ['/status', '*/*'],
    ['/status', 'application/json'],
    ['/status.json', browser],
  ] as const) {
    const response = await get(path, accept)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject({ ok: true, state: 'ok' })
  }
})
