import { expect, test } from 'vitest'
import {
  presentationChangedAt,
  presentationDocument,
  restoredPresentationChange,
} from '../../src/representations/presentation-changed-at.ts'
import type { Site } from '../../src/feeds/site.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testSite } from '../support/site.ts'
import { openTestStore } from '../support/store.ts'

const stored = (since: number) => JSON.stringify({ presentation: 'a', since })
const failing = () => Promise.reject(new StoreError('unreachable', 'x'))

test('records when a setting changes, and keeps that time until the next change', async () => {
  const { now, advance } = createFakeClock()
  const { documents } = openTestStore(now)
  const first = now()
  expect(await presentationChangedAt(documents, testSite, now())).toBe(first)
  await advance(1000)
  expect(await presentationChangedAt(documents, testSite, now())).toBe(first)
  const renamed = { ...testSite, name: 'Another name' }
  expect(await presentationChangedAt(documents, renamed, now())).toBe(first + 1000)
  await advance(1000)
  expect(await presentationChangedAt(documents, renamed, now())).toBe(first + 1000)
  expect(await presentationChangedAt(documents, testSite, now())).toBe(first + 2000)
})

test('ignores a time that is not a valid date', async () => {
  const { now } = createFakeClock()
  const { documents } = openTestStore(now)
  await documents.write([{ ...presentationDocument, value: stored(1e300) }])
  expect(await presentationChangedAt(documents, testSite, now())).toBe(now())
  expect(restoredPresentationChange(stored(1e300), stored(8.64e15), now())).toContain(`:${now()}}`)
})

/** Another value of each setting. The type requires one for every setting. */
const others: { readonly [Name in keyof Required<Omit<Site, 'identity'>>]: Site[Name] } = {
  name: 'Another name',
  url: 'https://other.example',
  timeZone: 'America/Chicago',
  language: 'de',
  translation: { to: 'de', websiteLanguage: 'en-US' },
  idHost: 'other.example',
  publicUrl: 'https://feeds.other.example',
  links: { news: 'https://other.example/news/{id}' },
  places: [{ name: 'Station 1', address: '1 Main St', latitude: 1, longitude: 2 }],
  databases: [],
  publicFeedIds: ['news'],
  entrySettingsChangedAt: { all: 1 },
  hubs: ['https://hub.example'],
  isStatic: true,
  staticLanguages: ['es'],
}

test('every setting of a site changes the time by which the front recognizes its responses', async () => {
  const { now } = createFakeClock()
  const { documents } = openTestStore(now)
  let before = await presentationChangedAt(documents, testSite, now())
  for (const [name, value] of Object.entries(others)) {
    const since = await presentationChangedAt(documents, { ...testSite, [name]: value }, now())
    expect([name, since > before]).toEqual([name, true])
    before = since
  }
})

test('gives each change a later time, even if the clock goes back', async () => {
  const { now } = createFakeClock()
  const { documents } = openTestStore(now)
  await presentationChangedAt(documents, testSite, now())
  const other = { ...testSite, publicUrl: 'https://other.example' }
  expect(await presentationChangedAt(documents, other, now() - 60_000)).toBe(now() + 1)
})

test('gives a restored store a later time, even if the clock goes back', () => {
  expect(restoredPresentationChange(stored(2), undefined, 1)).toBe(stored(3))
  expect(restoredPresentationChange(stored(2), stored(4), 1)).toBe(stored(5))
  expect(restoredPresentationChange(stored(2), stored(4), 6)).toBe(stored(6))
})

test.for(['x', '{}', '{"presentation":"a"}', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
  'ignores an unreadable time in a backup or in the store',
  (text) => {
    const none = JSON.stringify({ presentation: '', since: 5 })
    expect(restoredPresentationChange(text, stored(4), 1)).toBe(none)
    expect(restoredPresentationChange(text, text, 5)).toBe(none)
    expect(restoredPresentationChange(stored(2), text, 5)).toBe(stored(5))
  },
)

test('gives two replicas that start together the same time', async () => {
  const { now } = createFakeClock()
  const { documents } = openTestStore(now)
  const [a, b] = await Promise.all([
    presentationChangedAt(documents, testSite, now()),
    presentationChangedAt(documents, testSite, now() + 5),
  ])
  expect(a).toBe(b)
})

test('returns the current time if the store is unavailable', async () => {
  const { now } = createFakeClock()
  const documents = { get: failing, all: failing, write: failing }
  expect(await presentationChangedAt(documents, testSite, now())).toBe(now())
})
