import { afterAll, expect, test } from 'vitest'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ publicFeedIds: ['events'] })
afterAll(() => service[Symbol.asyncDispose]())

test.for([
  ['/nothing', 404, 'Page not found.'],
  ['/l/nobody/', 404, 'Unknown feed link. Ask the person who gave it to you for a new one.'],
  ['/events.ics?alarm=x', 400, 'alarm must be a whole number from 0 to 40320.'],
] as const)(
  'sends the error for %s as plain text to programs and as a page to browsers',
  async ([path, status, text]) => {
    const plain = await exchange(service.url, requestText(path))
    expect([plain.status, plain.body.toString()]).toEqual([status, `${text}\n`])
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8')
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const page = await exchange(service.url, requestText(path, { headers }))
    expect(page.status).toBe(status)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: expect.stringContaining('Accept'),
    })
    expect(page.body.toString()).toContain(`<h1 class="sentence">${text}</h1>`)
    expect(page.body.toString()).toContain('<a class="pill" href="/">Calendars and news</a>')
  },
)
