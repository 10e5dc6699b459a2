import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { entrySettingsChangedAt } from '../../src/representations/entry-settings.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { Site } from '../../src/feeds/site.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter, feedWith } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'
import { openTestStore } from '../support/store.ts'

const feed = feedWith('events')

const event = (id: number, location: string) => ({
  id,
  title: 'Open house',
  status: 2,
  allDay: 1,
  location,
  startDate: '2026-03-06',
  created: '2026-03-01 09:00:00',
})

const station = { name: 'Station 1', address: '12 Main Street', latitude: 42, longitude: -74 }

/** Starts sites with these settings one after another, which share a store and the records. */
function siteStarts() {
  const { now, advance } = createFakeClock()
  const { documents } = openTestStore(now)
  const events = [event(1, 'Station 1'), event(2, 'Park')]
  const collection = collectionAfter('events', [events], now())

  /** Resolves to what an app reads: the time of the last change of each entry, and its text. */
  async function start(settings: Partial<Site> = {}) {
    await advance(60_000)
    const shown = { ...testSite, ...settings }
    const changedAt = await entrySettingsChangedAt(documents, shown, { now: now() })
    const site = { ...shown, entrySettingsChangedAt: changedAt }
    const chosen = chosenOptions(feed, 'ics')
    const request = { format: 'ics', profile: 'public', now: now(), chosen } as const
    const { body } = atOnce(feed.renderSource(await collection, request, createRenderers(site)))
    const entries = new ICAL.Component(ICAL.parse(body.toString())).getAllSubcomponents('vevent')
    return entries.map((entry) => ({
      changedAt: String(entry.getFirstPropertyValue('last-modified')),
      sequence: Number(entry.getFirstPropertyValue('sequence')),
      location: String(entry.getFirstPropertyValue('location')),
      url: String(entry.getFirstPropertyValue('url')),
    }))
  }

  return { start }
}

test('a later time of the last change shows that the address of an entry has changed', async () => {
  const { start } = siteStarts()
  const readings = [
    await start(),
    await start({ places: [station] }),
    await start({ places: [{ ...station, address: '14 Main Street' }] }),
    await start(),
  ]
  expect(readings.map(([entry]) => entry?.location)).toEqual([
    'Station 1',
    'Station 1\n12 Main Street',
    'Station 1\n14 Main Street',
    'Station 1',
  ])
  const times = readings.map(([entry]) => entry?.changedAt ?? '')
  expect(times).toEqual([...new Set(times)].toSorted())
  const sequences = readings.map(([entry]) => entry?.sequence ?? 0)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  expect(new Set(readings.map(([, entry]) => entry?.changedAt)).size).toBe(1)
})

test('so does a setting that every entry shows', async () => {
  const { start } = siteStarts()
  const [before] = await start()
  const moved = await start({ links: { events: 'https://www.example.org/events/{id}' } })
  for (const entry of moved) {
    expect(entry.url).toContain('https://www.example.org/events/')
    expect(entry.changedAt > (before?.changedAt ?? '')).toBe(true)
  }
})

test('the first start, restarts and other settings change no entry', async () => {
  const { start } = siteStarts()
  const first = await start({ places: [station] })
  expect(first[0]?.changedAt).toBe('2026-03-01T14:00:00Z')
  expect(await start({ places: [station] })).toEqual(first)
  const other = { name: 'Other name', publicUrl: 'https://other.example' }
  const times = (await start({ places: [station], ...other })).map(({ changedAt }) => changedAt)
  expect(times).toEqual(first.map(({ changedAt }) => changedAt))
})

test('gives replicas that start together the same times', async () => {
  const { now, advance } = createFakeClock()
  const { documents } = openTestStore(now)
  await entrySettingsChangedAt(documents, testSite, { now: now() })
  await advance(60_000)
  const renamed = { ...testSite, places: [station] }
  const [first, second] = await Promise.all([
    entrySettingsChangedAt(documents, renamed, { now: now() }),
    entrySettingsChangedAt(documents, renamed, { now: now() + 5 }),
  ])
  expect(first).toEqual(second)
  expect(Object.keys(first ?? {})).toEqual(['place station 1'])
})
