import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { sendMessage } from '../../../src/http/responses/send-message.ts'

/** Requests a board whose link gets this status, as a screen does. */
async function boardWith(status: number): Promise<string> {
  const application = express()
  application.locals['render'] = (_template: string, shown: object) => JSON.stringify(shown)
  application.use((_request, response) => {
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
