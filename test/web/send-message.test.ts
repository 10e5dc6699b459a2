import express from 'express'
import supertest from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { sendMessage } from '../../src/web/send-message.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { startTestService } from '../support/service.ts'

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

test.for([
  ['/nothing?lang=es', 'es-US', '>Página no encontrada.'],
  ['/events.ics?alarm=x&lang=es', 'es-US', ' lang="en">alarm must be a whole number'],
  ['/?lang=it', 'en', '>lang must be en or es or fr or de.'],
] as const)('shows the error for %s on a page in the language %s', async ([path, lang, text]) => {
  const headers = { Accept: 'text/html' }
  const { body } = await exchange(service.url, requestText(path, { headers }))
  const page = body.toString()
  expect(page).toContain(`<html lang="${lang}`)
  expect(page).toContain(`<h1 class="sentence"${text}`)
  expect(page).toContain(`<a class="pill" href="/${lang === 'en' ? '' : '?lang=es'}">`)
})

/** Requests a board whose link gets this status, as a screen does. */
async function boardWith(status: number): Promise<string> {
  const application = express()
  application.use((_request, response) => {
    response.locals['renderFor'] = () => (_template: string, shown: object) => JSON.stringify(shown)
    response.locals['endedScript'] = '/assets/board-ended.js'
    sendMessage(response, status, 'a')
  })
  return (await supertest(application).get('/board').set('Accept', 'text/html')).text
}

test.for([
  ...[404, 410].map((status) => ({ status, isDeleted: true })),
  // The board may come back.
  ...[400, 401, 403, 408, 429, 500, 502, 503, 504].map((status) => ({ status, isDeleted: false })),
])(
  'a screen that gets $status deletes its stored content: $isDeleted',
  async ({ status, isDeleted }) => {
    expect((await boardWith(status)).includes('board-ended.js')).toBe(isDeleted)
  },
)
