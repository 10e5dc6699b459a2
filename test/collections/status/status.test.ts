import { expect, test } from 'vitest'
import { problemsFrom } from '../../../src/collections/status/problems.ts'
import { publicStatusFrom, statusFrom } from '../../../src/collections/status/status.ts'
import { UpstreamError, upstreamErrorKinds } from '../../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs, allResources } from '../../support/collections.ts'
import { acceptHeld, keepHolding } from '../../../src/collections/copy/stored-collections.ts'
import { endpointOf } from '../../../src/records/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'

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

const dayMs = 24 * 60 * minuteMs
const sample = sampleDatasetOn('2026-03-05')
const full = Object.fromEntries(allResources.map((name) => [name, sample[endpointOf(name)]]))

async function allRead() {
  const parts = collectionsOf({ resources: allResources })
  const { collections, clock, website, statusOptions } = parts
  website.items = { ...full }
  collections.start()
  await clock.advance(0)
  const say = (from = collections) => statusFrom(statusOptions(0, from))
  expect(say()).toMatchObject({ ok: true })
  return { ...parts, say }
}

test('describes every collection that is currently held in a single sentence', async () => {
  const { clock, website, say, stop, startLoaded } = await allRead()
  website.items = {}
  await clock.advance(6 * minuteMs)
  for (const _month of [1, 2]) {
    const { ok, sentences } = say()
    expect(ok).toBe(false)
    expect(sentences).toHaveLength(1)
    for (const name of ['calendar', 'events', 'rental', 'signup', 'news', 'announce']) {
      expect(sentences[0]).toContain(`${name} (0 instead of `)
    }
    expect(sentences[0]).toMatch(
      / since Thu, Mar 5, 10:0\d AM\)\. The last good copies stay published until the records are back\. If they were removed on purpose, accept the loss on the admin page, or run npx feedhouse collections accept NAME\.$/,
    )
    await clock.leap(30 * dayMs)
    await clock.advance(10_000)
  }
  await stop()
  const later = await startLoaded()
  expect(say(later.collections).sentences).toHaveLength(1)
})

test('says whether a loss is published automatically or kept on hold, and omits accepted losses', async () => {
  const { collections, clock, website, store, say } = await allRead()
  const sentence = async () => {
    await collections.load()
    return say().sentences.join('\n')
  }
  website.items = { ...full, news: sample.news.slice(0, 3) }
  await clock.advance(6 * minuteMs)
  expect(await sentence()).toMatch(
    /^The website no longer has most of the records in news \(3 instead of 54 since Thu, Mar 5, 10:0\d AM; published after Fri, Mar 6, 10:0\d AM if nothing changes\)\. The last good copy stays published until .* collections accept news\. To keep .* run npx feedhouse collections hold news\.$/,
  )
  const heldNews = () => say().collections.find(({ name }) => name === 'news')?.held
  const publishedAfter = expect.stringMatching(/^2026-03-06T15:0/)
  expect(heldNews()).toMatchObject({ records: 3, publishedAfter, isHeldByRequest: false })
  await keepHolding(store.documents, 'news')
  expect(await sentence()).toMatch(
    / since Thu, Mar 5, 10:0\d AM; held by operator request\)\. .* accept news\.$/,
  )
  expect(heldNews()).toMatchObject({ publishedAfter: null, isHeldByRequest: true })
  website.items = { ...website.items, rental: [] }
  await clock.advance(6 * minuteMs)
  expect(await sentence()).toMatch(/in news \(3 .*held by operator request\) and rental \(0 /)
  await acceptHeld(store.documents, 'news', { now: clock.now() })
  expect(await sentence()).toMatch(
    /^The website no longer has most of the records in rental \([^(]*$/,
  )
  await acceptHeld(store.documents, 'rental', { now: clock.now() })
  expect(await sentence()).toBe('Everything has been read and is up to date.')
})

test('names the first five records with values that cannot be used', async () => {
  const { clock, website, say } = await allRead()
  const [unreadable, readable] = [sample.news.slice(0, 6), sample.news.slice(6)]
  website.items = { ...full, news: [...unreadable.map(({ id }) => ({ id })), ...readable] }
  await clock.advance(6 * minuteMs)
  const ids = unreadable.slice(0, 5).map(({ id }) => id)
  const each = ids.map(
    (id) =>
      `${id} \\(date: [^;]* since Thu, Mar 5, 10:0\\d AM; the last good version stays published\\)`,
  )
  expect(say().state).toBe('ok')
  expect(say().sentences).toEqual([
    'Everything has been read and is up to date.',
    expect.stringMatching(
      `^news has 6 records with values that cannot be used\\. Correct them on the website: ${each.join(', ')} and others\\.$`,
    ),
  ])
})

test('says since when records cannot be used, also after a restart, until they are readable', async () => {
  const { clock, website, say, stop, startLoaded } = await allRead()
  const [first, second, ...others] = sample.news
  const changed = { id: first?.id }
  const partly = { ...second, images: [{ id: 'x' }] }
  website.items = { ...full, news: [changed, partly, { id: 666 }, ...others] }
  await clock.advance(6 * minuteMs)
  const outcomes = ['last good version', 'part', 'nothing']
  const since = expect.stringMatching(/^2026-03-05T15:05:00/)
  const rejected = [first?.id, second?.id, 666].map((id, index) =>
    expect.objectContaining({ id: String(id), published: outcomes[index], since }),
  )
  const newsIn = (status: ReturnType<typeof say>) =>
    status.collections.find(({ name }) => name === 'news')
  expect(newsIn(say())).toMatchObject({ records: sample.news.length, rejectedCount: 3, rejected })
  await stop()
  const later = await startLoaded()
  expect(newsIn(say(later.collections))).toMatchObject({ rejectedCount: 3, rejected })
  later.collections.start()
  await clock.advance(60 * minuteMs)
  expect(newsIn(say(later.collections))).toMatchObject({ rejectedCount: 3, rejected })
  website.items = { ...full }
  await clock.advance(60 * minuteMs)
  expect(newsIn(say(later.collections))).toMatchObject({ rejectedCount: 0, rejected: [] })
})

test('reports that most records have become unreadable, and keeps their last good versions', async () => {
  const { clock, collections, website, say, statusOptions } = await allRead()
  // Items whose only valid field is their id.
  const news = sample.news.map(({ id }) => ({ id }))
  website.items = { ...full, news }
  await clock.advance(6 * minuteMs)
  const { records } = await collections.read('news')
  expect(records).toHaveLength(sample.news.length)
  const sentence =
    "Most records in news (54 of 54) cannot be read. Their last good versions stay published. Ask the website's operator what has changed, and look for a newer version of Feedhouse."
  expect(say()).toMatchObject({ ok: false, sentences: [sentence, expect.any(String)] })
  expect(problemsFrom(statusOptions(), {}).open).toMatchObject([
    { key: 'records-stale', sentence, since: expect.any(Number) },
  ])
  website.items = { ...full, news, rental: [] }
  await clock.advance(6 * minuteMs)
  expect(say().sentences).toEqual([
    expect.stringMatching(/^The website no longer has most of the records in rental \(/),
    sentence,
    expect.any(String),
  ])
})
