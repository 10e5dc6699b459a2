import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { errorHandler } from '../../src/web/error-handler.ts'
import { createLogger } from '../../src/log.ts'
import { StoreError, type StoreErrorKind } from '../../src/store/store-error.ts'

test.for<{ readonly kind: StoreErrorKind; readonly says: RegExp }>([
  { kind: 'disk full', says: /^This cannot be saved, because the disk .* is full/ },
  { kind: 'full', says: /^This cannot be saved, because the disk or database .* is full/ },
  { kind: 'unreachable', says: /^The store cannot be reached right now/ },
])('explains that the store is $kind, without its path', async ({ kind, says }) => {
  const application = express()
  application.use(() => {
    throw new StoreError(kind, 'The store at /private/path does not work.')
  })
  application.use(errorHandler(createLogger('silent'), () => undefined))
  const { status, text, headers } = await supertest(application).get('/')
  expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(text).toMatch(says)
  expect(text).not.toContain('/private')
})
