import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { applyReading, type CollectionCopy } from '../../src/collections/copy/collection-copy.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { openHouse, renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter, itemsOf } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const resources = ['calendar', 'events', 'rental', 'signup'] as const

const collectionOf = (resource: FeedResource, ...items: readonly object[]) =>
  collectionAfter(resource, [items], now - 86_400_000)

/** A members' event and a public event for one event, a rental and a members' drill. */
async function duplicates(): Promise<readonly Collection[]> {
  return Promise.all([
    collectionOf(
      'calendar',
      { ...openHouse, calendarId: 3, calendar: 'Company' },
      {
        ...openHouse,
        id: 2,
        calendarId: 4,
        calendar: 'Drills',
        title: 'Drill',
        contact: 'Capt. Reyes',
      },
    ),
    collectionOf('events', { ...openHouse, id: 8, title: 'OPEN HOUSE!', text: 'For everyone' }),
    collectionOf('rental', {
      ...openHouse,
      id: 5,
      typeId: 2,
      type: 'Hall',
      title: 'Rental: Hall',
      startTime: '18:00:00',
      endTime: '20:00:00',
    }),
  ])
}

const collections = await duplicates()

const render = (query = '', options = {}) => renderCombined(collections, { now, query, ...options })
const uidsOf = ({ events }: { readonly events: readonly { readonly uid: string }[] }) =>
  events.map(({ uid }) => uid.split('@')[0])

const titles = (query: string) => render(query).events.map(({ summary }) => summary)

const leads = (query: string) =>
  render(query).events.map(({ alarmLeadSeconds }) => alarmLeadSeconds.map((lead) => lead / 60))

describe('a combined calendar', () => {
  test('shows an event that is in two feeds once', () => {
    const { events, text, title } = render()
    expect(title).toBe(`${testSite.name}: All calendars`)
    expect(events.map(({ uid, summary }) => [uid.split('@')[0], summary])).toEqual([
      ['calendar-1', 'OPEN HOUSE!'],
      ['calendar-2', 'Drill'],
      ['rental-5', expect.stringContaining('Hall')],
    ])
    expect(text).toContain(`RELATED-TO;RELTYPE=SIBLING:events-8@${testSite.idHost}\r\n`)
    expect(text.replaceAll('\r\n ', '')).toContain(`URI:${testSite.publicUrl}/all.ics\r\n`)
  })

  test('shows it for each feed with dedupe=0', () => {
    expect(uidsOf(render('dedupe=0'))).toEqual(['calendar-1', 'calendar-2', 'events-8', 'rental-5'])
    expect(render().text).toContain('Every calendar in one\\, with each entry only once.')
    expect(render('dedupe=0').text).toContain(':Every calendar in one.\r\n')
  })

  test('names the feeds of each entry in CATEGORIES and gives each feed a COLOR', () => {
    const { events, text } = render()
    expect(events.map(({ categories }) => categories)).toEqual([
      ['Calendar', 'Events', 'Company'],
      ['Calendar', 'Drills'],
      ['Rentals', 'Hall'],
    ])
    expect(text.match(/^COLOR:.*$/gm)).toEqual([
      'COLOR:royalblue',
      'COLOR:royalblue',
      'COLOR:chocolate',
    ])
    const colored = render('color=firebrick').text
    expect(colored.match(/^COLOR:.*$/gm)).toEqual(['COLOR:firebrick'])
  })

  test('starts titles with a word or an emoji, unless they already do', () => {
    expect(titles('prefix=1')).toEqual([
      'Members: OPEN HOUSE!',
      'Members: Drill',
      expect.stringMatching(/^Rental: (?!Rental)/),
    ])
    expect(titles('prefix=emoji')).toContain('📅 Drill')
  })

  test('does not mistake the beginning of a title for the word of its feed', async () => {
    const committee = { ...openHouse, calendarId: 3, calendar: 'Company' }
    const titled = await collectionOf('calendar', { ...committee, title: 'Members meeting' })
    const { events } = renderCombined([titled], { now, query: 'prefix=1' })
    expect(events.map(({ summary }) => summary)).toEqual(['Members: Members meeting'])
  })

  test('has reminders for all feeds or for single ones', () => {
    expect(leads('alarm=30')).toEqual([[30], [30], [30]])
    expect(leads('alarm=calendar:15.60')).toEqual([[15, 60], [15, 60], []])
    expect(leads('alarm=events:15,calendar:60.0')[0]).toEqual([0, 15, 60])
    expect(leads('alarm=30,rental:none')).toEqual([[30], [30], []])
    // The first entry is in two feeds, and has the reminders of both.
    expect(leads('alarm=30,events:1440')).toEqual([[30, 1440], [30], [30]])
  })

  test('shows the chosen feeds, and the chosen parts of a feed', () => {
    expect(uidsOf(render('show=rental,events'))).toEqual(['events-8', 'rental-5'])
    expect(render('show=rental,events').title).toBe(`${testSite.name}: Events, Rentals`)
    expect(uidsOf(render('show=calendar:4'))).toEqual(['calendar-2'])
    expect(uidsOf(render('show=calendar:4.3,rental:9'))).toEqual(['calendar-1', 'calendar-2'])
  })

  test('hides the content that each feed hides from the profile', () => {
    expect(render('', { profile: 'members' }).text).toContain('Contact: Capt. Reyes')
    expect(render().text).not.toContain('Reyes')
    expect(render('', { profile: 'members' }).text).not.toContain('SOURCE')
  })

  test('describes changes to an entry in one or several feeds', async () => {
    const item = { ...openHouse, calendarId: 3, calendar: 'Company' }
    const other = { ...item, id: 9, title: 'Other' }
    const afterMove = (resource: FeedResource, ...items: readonly object[]) => {
      const moved = items.map((each) => ({ ...each, startDate: '2026-03-08' }))
      const readings = [
        [...items, other],
        [...moved, other],
      ]
      return collectionAfter(resource, readings, now - 86_400_000)
    }
    const changed = await Promise.all([
      afterMove('calendar', { ...item, id: 1 }, { ...item, id: 2, title: 'Drill' }),
      afterMove('events', { ...item, id: 8, text: 'For everyone' }),
    ])
    const descriptions = (query: string) =>
      renderCombined(changed, { now, query }).events.map(({ description }) => description)
    expect(descriptions('')).toEqual(['', 'For everyone', ''])
    const times = 'now Sun, Mar 8, 10 AM (was Sat, Mar 7, 10 AM).'
    expect(descriptions('changes=note')).toEqual([
      '',
      `Moved: Open house, ${times}\n\nFor everyone`,
      `Moved: Drill, ${times}`,
    ])
  })

  test('contains every entry of the sample that is not a duplicate', async () => {
    const sample = sampleDatasetOn('2026-03-05')
    const all = await Promise.all(
      resources.map((resource) => collectionAfter(resource, [itemsOf(sample, resource)], now)),
    )
    const separate = renderCombined(all, { now, query: 'dedupe=0' })
    const merged = renderCombined(all, { now })
    const related = merged.text.match(/^RELATED-TO/gm) ?? []
    expect(merged.events.length + related.length).toBe(separate.events.length)
    expect(new Set(uidsOf(merged)).size).toBe(merged.events.length)
  })
})

/** One edit: the event, what it becomes, or undefined if it is deleted. */
const edit = fc.record({
  id: fc.integer({ min: 1, max: 3 }),
  change: fc.option(
    fc.record({
      title: fc.constantFrom('Open house', 'OPEN HOUSE', 'Drill', 'Annual open house'),
      text: fc.constantFrom('', 'For everyone'),
      location: fc.constantFrom('', 'Station 1'),
      startDate: fc.constantFrom('2026-03-07', '2026-03-08'),
    }),
  ),
})

const isIn = (some: readonly string[], all: readonly string[]) =>
  some.every((each) => all.includes(each))

test('keeps the UIDs of all other entries when one is added or deleted, and never lowers a SEQUENCE, over a year of edits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 52, maxLength: 52 }), async (edits) => {
      const items = new Map<number, object>()
      let kept: CollectionCopy<'events'> | undefined
      const sequences = new Map<string, number>()
      let before: { readonly uids: readonly string[]; readonly records: readonly string[] } = {
        uids: [],
        records: [],
      }
      const renderers = createRenderers(testSite)
      for (const [week, { id, change }] of edits.entries()) {
        const at = now + week * 7 * 86_400_000
        if (change) items.set(id, { ...openHouse, id, ...change })
        else items.delete(id)
        const reading = { items: async () => [...items.values()], calls: 1, days: undefined }
        kept = (await applyReading('events', kept, reading, at)).kept
        const copies: readonly Collection[] = [kept.collection]
        const { text } = renderCombined(copies, { now: at, renderers })
        const uids = [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid = '']) => uid)
        expect(new Set(uids).size).toBe(uids.length)
        const records = copies.flatMap(({ records: of }) => of.map((each) => JSON.stringify(each)))
        const [isFewer, isMore] = [isIn(records, before.records), isIn(before.records, records)]
        expect(isFewer && !isIn(uids, before.uids)).toBe(false)
        expect(isMore && !isIn(before.uids, uids)).toBe(false)
        before = { uids, records }
        for (const [, uid = '', sequence] of text.matchAll(/UID:(.*)\r\nSEQUENCE:(\d+)/g)) {
          expect(Number(sequence)).toBeGreaterThanOrEqual(sequences.get(uid) ?? 0)
          sequences.set(uid, Number(sequence))
        }
      }
    }),
    { numRuns: 5 },
  )
})
