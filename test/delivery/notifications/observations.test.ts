import { expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/clock.ts'
import {
  certificateOf,
  createObserver,
  createRefreshTokenAge,
} from '../../../src/delivery/notifications/observations.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { freePort } from '../../support/free-port.ts'
import { openTestStore } from '../../support/store.ts'
import { testDirectory } from '../../support/service.ts'

test('reads the validity of a certificate, even if it is not trusted', async () => {
  const clock = createFakeClock(Date.now())
  await using sandbox = await createSandbox({ now: clock.now })
  const certificate = await certificateOf(sandbox.url)
  expect(certificate?.validFrom).toBeLessThanOrEqual(Date.now())
  expect(certificate?.validUntil).toBeGreaterThan(Date.now())
  expect(await certificateOf(`https://127.0.0.1:${await freePort()}`)).toBeUndefined()
  expect(await certificateOf('http://127.0.0.1')).toBeUndefined()
})

test('reads a certificate every six hours, and an unknown one every hour', async () => {
  const clock = createFakeClock(Date.now())
  const httpsPort = await freePort()
  const observe = createObserver({
    documents: openTestStore(clock.now).documents,
    publicUrl: `https://127.0.0.1:${httpsPort}`,
    dataDirectory: undefined,
    refreshTokenFingerprint: () => 'a',
    clock,
  })
  const isKnown = async () => (await observe()).certificate !== undefined
  expect(await isKnown()).toBe(false)
  const sandbox = await createSandbox({ now: clock.now, httpsPort })
  await clock.advance(hourMs - 1)
  expect(await isKnown()).toBe(false)
  await clock.advance(1)
  expect(await isKnown()).toBe(true)
  await sandbox[Symbol.asyncDispose]()
  await clock.advance(6 * hourMs - 1)
  expect(await isKnown()).toBe(true)
  await clock.advance(1)
  expect(await isKnown()).toBe(false)
})

test('observes the disk and the age of the refresh token, which starts at its first use', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  let fingerprint = 'a'
  const observe = createObserver({
    documents,
    publicUrl: 'http://127.0.0.1:8080',
    dataDirectory: testDirectory(),
    refreshTokenFingerprint: () => fingerprint,
    clock,
  })
  const first = clock.now()
  expect(await observe()).toEqual({
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    certificate: undefined,
    refreshToken: { createdAt: first, isEstimate: true },
    links: [],
  })
  await clock.advance(dayMs)
  expect((await observe()).refreshToken).toEqual({ createdAt: first, isEstimate: true })
  await createRefreshTokenAge(documents, () => 'a', clock).setRefreshTokenCreation(5)
  expect((await observe()).refreshToken).toEqual({ createdAt: 5, isEstimate: false })
  fingerprint = 'b'
  expect((await observe()).refreshToken).toEqual({ createdAt: clock.now(), isEstimate: true })
})
