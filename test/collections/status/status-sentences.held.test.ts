import { expect, test } from 'vitest'
import { acceptHeld, keepHolding } from '../../../src/collections/copy/held-decisions.ts'
import { statusFrom } from '../../../src/collections/status/status.ts'
import { endpointOf } from '../../../src/records/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { allResources, collectionsOf, minuteMs } from '../../support/collections.ts'

const dayMs = 24 * 60 * minuteMs
const sample = sampleDatasetOn('2026-03-05')
const full = Object.fromEntries(allResources.map((name) => [name, sample[endpointOf(name)]]))

/** Starts collections, reads them, and returns them with their status messages. */
async function started() {
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
  const { clock, website, start, say, stop } = await started()
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
      / since 10:0\d:\d\d EST on March 5\)\. The last good copies stay published until the records are back\. If they were removed on purpose, accept the loss on the admin page, or run npx feedhouse collections accept NAME\.$/,
    )
    await clock.leap(30 * dayMs)
    await clock.advance(10_000)
  }
  await stop()
  const later = start()
  await later.collections.load()
  expect(say(later.collections).sentences).toHaveLength(1)
})

test('says whether a loss is published automatically or kept on hold, and omits accepted losses', async () => {
  const { collections, clock, website, store, say } = await started()
  const sentence = async () => {
    await collections.load()
    return say().sentences.join('\n')
  }
  website.items = { ...full, news: sample.news.slice(0, 3) }
  await clock.advance(6 * minuteMs)
  expect(await sentence()).toMatch(
    /^The website no longer has most of the records in news \(3 instead of 54 since 10:0\d:\d\d EST on March 5; published after 10:0\d:\d\d EST on March 6 if nothing changes\)\. The last good copy stays published until .* collections accept news\. To keep .* run npx feedhouse collections hold news\.$/,
  )
  await keepHolding(store.documents, 'news')
  expect(await sentence()).toMatch(
    / EST on March 5; held by operator request\)\. .* accept news\.$/,
  )
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

test('does not report records as missing if they are only unreadable', async () => {
  const { clock, website, say } = await started()
  // Items whose only valid field is their id.
  const unreadable = sample.news.map(({ id }) => ({ id }))
  website.items = { ...full, news: unreadable }
  await clock.advance(6 * minuteMs)
  const cannotBeRead =
    /Most records in news \(0 instead of 54 since 10:0\d:\d\d EST on March 5\) cannot be read\. Ask the website's operator .* newer version of Feedhouse\. The last good /
  expect(say().sentences.join('\n')).toMatch(new RegExp(`^${cannotBeRead.source}copy stays`))
  website.items = { ...website.items, rental: [] }
  await clock.advance(6 * minuteMs)
  expect(say().sentences.join('\n')).toMatch(
    new RegExp(
      `^The website no longer has most of the records in rental \\([^)]*\\)\\. ${cannotBeRead.source}copies stay`,
    ),
  )
})

test('distinguishes losses that will be published from losses that stay held', async () => {
  const { clock, website, collections, store, say } = await started()
  website.items = { ...full, news: sample.news.slice(0, 3) }
  await clock.advance(6 * minuteMs)
  const heldNews = () => say().collections.find(({ name }) => name === 'news')?.held
  expect(heldNews()).toMatchObject({
    records: 3,
    publishedAfter: expect.stringMatching(/^2026-03-06T15:0/),
    isHeldByRequest: false,
  })
  await keepHolding(store.documents, 'news')
  await collections.load()
  expect(heldNews()).toMatchObject({ publishedAfter: null, isHeldByRequest: true })
})
