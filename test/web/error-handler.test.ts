import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { NoImage } from '../../src/pictures/image-library.ts'
import { errorHandler } from '../../src/web/error-handler.ts'
import { createLogger } from '../../src/log.ts'
import { StoreError, type StoreErrorKind } from '../../src/store/store-error.ts'

async function answerTo(error: Error) {
  const application = express()
  application.use(() => {
    throw error
  })
  application.use(errorHandler(createLogger('silent'), () => undefined))
  return supertest(application).get('/')
}

test('asks displays to try again if drawing has crashed', async () => {
  const { status, text, headers } = await answerTo(new NoImage('crashed'))
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  expect(text).toMatch(/^Something went wrong. /)
})

test('distinguishes servers that are too busy for a picture from those that can draw none', async () => {
  const busy = await answerTo(new NoImage('busy'))
  expect([busy.status, busy.headers['retry-after']]).toEqual([503, '5'])
  const { status, text, headers } = await answerTo(new NoImage('unsupported'))
  expect([status, headers['retry-after']]).toEqual([501, undefined])
  expect(text).toMatch(/^This server cannot draw pictures, /)
})

test.for<{ readonly kind: StoreErrorKind; readonly says: RegExp }>([
  { kind: 'disk full', says: /^This cannot be saved, because the disk .* is full/ },
  { kind: 'full', says: /^This cannot be saved, because the disk or database .* is full/ },
  { kind: 'unreachable', says: /^The store cannot be reached right now/ },
])('explains that the store is $kind, without its path', async ({ kind, says }) => {
  const error = new StoreError(kind, 'The store at /private/path does not work.')
  const { status, text, headers } = await answerTo(error)
  expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(text).toMatch(says)
  expect(text).not.toContain('/private')
})
