import { expect, test } from 'vitest'
import { problemsFrom } from '../../../src/collections/status/problems.ts'
import { publicStatusFrom, statusFrom } from '../../../src/collections/status/status.ts'
import { UpstreamError, upstreamErrorKinds } from '../../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

const starting = (records: string) =>
  `Feedhouse is reading ${records} for the first time, which can take a few minutes.`

/** Starts collections of a website that does not respond until the test lets it. */
async function started() {
  const parts = collectionsOf({ resources: ['events', 'rental'] })
  const { collections, clock, website } = parts
  const response = Promise.withResolvers<void>()
  website.hangs = response.promise
  collections.start()
  await clock.advance(0)
  return { ...parts, respond: response.resolve, options: parts.statusOptions }
}

test('is starting, without problems, while records are read for the first time', async () => {
  const { clock, options, respond } = await started()
  await clock.advance(4 * minuteMs)
  const { ok, state, sentences } = statusFrom(options())
  expect([ok, state, sentences]).toEqual([null, 'starting', [starting('events, rental')]])
  expect(problemsFrom(options(), {}).open).toEqual([])
  respond()
  await clock.advance(0)
  expect(statusFrom(options())).toMatchObject({ ok: true, state: 'ok' })
})

test('is failing if the first read takes more than five minutes', async () => {
  const { clock, options, respond } = await started()
  await clock.advance(5 * minuteMs)
  const { ok, state, sentences } = statusFrom(options())
  expect([ok, state]).toEqual([false, 'failing'])
  expect(sentences[0]).toBe(
    'events has still not been read for the first time. To find out why, run npx feedhouse check.',
  )
  respond()
})

test('is failing as soon as the first read fails', async () => {
  const { clock, options, respond, website } = await started()
  website.failure = new UpstreamError('unavailable', 'down')
  respond()
  await clock.advance(0)
  expect(statusFrom(options())).toMatchObject({ ok: false, state: 'failing' })
})

test('the public status does not name private records that are being read', async () => {
  const { options, respond } = await started()
  for (const [names, records] of [
    [['events'], 'events'],
    [[], 'records that are not public'],
  ] as const) {
    const status = { ok: null, state: 'starting', sentences: [starting(records)] }
    expect(publicStatusFrom(options(), names)).toMatchObject(status)
  }
  respond()
})

test('explains a failed token request', async () => {
  const { options, respond } = await started()
  const failure = { kind: 'refresh_expired', retryAt: 0 } as const
  expect(statusFrom({ ...options(), token: { expiresAt: undefined, failure } }).token).toEqual({
    expiresAt: null,
    failure: 'refresh_expired',
    message: expect.stringMatching(/^The refresh token is over a year old and has expired\. Ask /),
    retryAt: '1970-01-01T00:00:00.000Z',
  })
  respond()
})

test.for(upstreamErrorKinds)('explains %s in plain words', async (kind) => {
  const { clock, options, respond, website } = await started()
  website.failure = new UpstreamError(kind, 'down')
  respond()
  await clock.advance(0)
  const { open } = problemsFrom({ ...options(), now: clock.now() + 60 * minuteMs }, {})
  const told = [statusFrom(options()).sentences, publicStatusFrom(options(), ['events']), open]
  const texts = JSON.stringify(told, (key, value: unknown) => (key === 'kind' ? null : value))
  expect(texts).not.toMatch(/[a-z]_[a-z]|\((?:interrupted|unavailable|unreachable|timeout|tls)\)/)
})
