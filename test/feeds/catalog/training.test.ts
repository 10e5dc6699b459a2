import { parseRssFeed } from 'feedsmith'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { readOptions, type OptionValues } from '../../../src/options/option.ts'
import { training } from '../../../src/feeds/catalog/training.ts'
import { collectionAfter, renderFeed, type RenderOptions } from '../../support/feed-text.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { testSite } from '../../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const dayMs = 24 * 60 * 60 * 1000

const emt = {
  id: 12,
  status: 1,
  memberId: 5,
  member: 'Jordan Reyes',
  certId: 3,
  certName: 'EMT &amp; Basic',
  issued: '2023-04-10',
  expires: '2026-04-10',
  certNumber: 'EM-4012',
  created: '2023-04-10 12:00:00',
}
const renewed = { ...emt, id: 44, issued: '2026-03-01', expires: '2029-03-01' }
const cpr = { ...emt, id: 13, memberId: 6, member: 'Pat Okafor', certId: 1, certName: 'CPR' }
const forever = { ...emt, id: 14, certId: 9, certName: 'Firefighter I', expires: '' }

type Options = Partial<RenderOptions>

async function textOf(readings: readonly (readonly object[])[], options: Options = {}) {
  const collection = await collectionAfter('training/membercerts', readings, now - dayMs)
  return renderFeed('training', collection, { now, profile: 'full', ...options }).text
}

async function entriesOf(items: readonly object[], options: Options = {}) {
  return readCalendar(await textOf([items], options)).events
}

async function titlesOf(items: readonly object[], options: Options = {}) {
  const { items: read = [] } = parseRssFeed(await textOf([items], { ...options, format: 'rss' }))
  return read.map(({ title }) => title)
}

/** Returns the time between 18:00 this many days earlier and the expiration of the certification. */
function leadSecondsAt18(days: number): number {
  const expiry = DateTime.fromISO(emt.expires, { zone: 'America/New_York' })
  return expiry.diff(expiry.minus({ days }).set({ hour: 18 })).as('seconds')
}

const uidsIn = (text: string) => readCalendar(text).events.map(({ uid }) => uid)

test('has an all-day entry on the day a certification expires, with reminders in days', async () => {
  expect(await entriesOf([emt, forever])).toEqual([
    expect.objectContaining({
      uid: 'training-12@cedarhollow.example',
      summary: 'Jordan Reyes: EMT & Basic expires',
      description:
        'Status on the website: Active\nIssued: Monday, April 10, 2023\nCertificate number: EM-4012',
      status: 'CONFIRMED',
      isDate: true,
      start: '2026-04-10',
      end: '2026-04-11',
      alarmLeadSeconds: [7, 30, 90].map(leadSecondsAt18),
    }),
  ])
})

test('lists only the selected certifications, whatever was selected before', async () => {
  const collection = await collectionAfter('training/membercerts', [[emt, cpr]], now - dayMs)
  const titlesWith = (values: OptionValues) => {
    const reader = { site: testSite, profile: 'full', now, chosen: { values, query: '' } } as const
    return training.overview(collection, reader).entries.map(({ title }) => title)
  }
  const [ofJordan, ofPat] = ['Jordan Reyes: EMT & Basic expires', 'Pat Okafor: CPR expires']
  expect(titlesWith({ parts: [] })).toEqual([ofJordan, ofPat])
  expect(titlesWith({ memberIds: [5] })).toEqual([ofJordan])
  expect(titlesWith({ memberIds: [6] })).toEqual([ofPat])
})

test.for<[query: string, days: readonly number[]]>([
  ['alarm=60', [60]],
  ['alarm=1,14', [1, 14]],
  ['alarm=none', []],
])('sets the reminders with %s', async ([query, days]) => {
  const [entry] = await entriesOf([emt], { query })
  expect(entry?.alarmLeadSeconds).toEqual(days.map(leadSecondsAt18))
})

test('rejects reminders that are not days', () => {
  expect(readOptions(training.options('ics'), new URLSearchParams('alarm=1440'))).toEqual({
    ok: false,
    reason: 'alarm must be a whole number from 0 to 365, or none.',
  })
})

test('names nobody for the profile members', async () => {
  const options = { profile: 'members' } as const
  const [entry] = await entriesOf([emt], options)
  expect(entry).toMatchObject({
    summary: 'EMT & Basic expires',
    description: 'Status on the website: Active',
  })
  expect(await titlesOf([emt], options)).toEqual(['EMT & Basic expires on Apr 10, 2026'])
})

test('does not show the owners of certifications to the profile members', async () => {
  const options = { profile: 'members', query: 'member=5' } as const
  expect(await entriesOf([emt, cpr], options)).toEqual([])
  expect(await titlesOf([emt, cpr], options)).toEqual([])
})

test('shows the public nothing', async () => {
  const options = { profile: 'public' } as const
  expect(await entriesOf([emt], options)).toEqual([])
  expect(await titlesOf([emt], options)).toEqual([])
})

test('shows pending certifications only to the profile full, as tentative', async () => {
  const pending = { ...emt, status: 0 }
  expect(await entriesOf([pending])).toMatchObject([{ status: 'TENTATIVE' }])
  expect(await titlesOf([pending])).toHaveLength(1)
  const options = { profile: 'members' } as const
  expect(await entriesOf([pending], options)).toEqual([])
  expect(await titlesOf([pending], options)).toEqual([])
})

test('drops the old date of a renewed certification without marking it as canceled', async () => {
  const query = 'cancelled=mark'
  expect(uidsIn(await textOf([[emt], [emt, renewed]]))).toEqual(['training-44@cedarhollow.example'])
  expect(uidsIn(await textOf([[emt, cpr], [cpr]], { query }))).toEqual([
    'training-13@cedarhollow.example',
  ])
})

test('a pending renewal does not replace the certification that is still valid', async () => {
  const starts = (await entriesOf([emt, { ...renewed, status: 0 }])).map(({ start }) => start)
  expect(starts).toEqual(['2026-04-10', '2029-03-01'])
})

test.for([
  ['cert=1', ['Pat Okafor: CPR expires']],
  ['member=5', ['Jordan Reyes: EMT & Basic expires']],
  ['cert=1&member=5', []],
  ['within=36', ['Jordan Reyes: EMT & Basic expires', 'Pat Okafor: CPR expires']],
  ['within=35', []],
] as const)('chooses the same certifications in all formats with %s', async ([query, titles]) => {
  const entries = await entriesOf([emt, cpr], { query })
  expect(entries.map(({ summary }) => summary)).toEqual(titles)
  expect(new Set(await titlesOf([emt, cpr], { query }))).toEqual(
    new Set(titles.map((title) => `${title} on Apr 10, 2026`)),
  )
})

test('has an item about a certification from 90 days before it expires', async () => {
  const last = { ...emt, expires: '2026-06-04' }
  const justBefore = Date.parse('2026-03-06T04:59:59Z')
  expect(await titlesOf([last], { now: justBefore })).toEqual([])
  expect(await titlesOf([last], { now: justBefore + 1000 })).toEqual([
    'Jordan Reyes: EMT & Basic expires on June 4, 2026',
  ])
})

test.for([
  [1, 'Active'],
  [3, 'Expired'],
] as const)(
  'derives from the date whether a certification has expired, with the status %s',
  async ([status, word]) => {
    const midnight = Date.parse('2026-04-11T04:00:00Z')
    const itemAt = async (instant: number) => {
      const readings = [[{ ...emt, status }]]
      const text = await textOf(readings, { now: instant, format: 'json' })
      return (JSON.parse(text) as { items: readonly object[] }).items
    }
    const before = await itemAt(midnight - 1)
    const after = await itemAt(midnight)
    const common = {
      id: 'tag:cedarhollow.example,2026:training-2026-04-10-12',
      content_html: expect.stringContaining(`<p>Status on the website: ${word}.</p>`),
      date_published: '2026-01-10T05:00:00.000Z',
    }
    expect(before).toMatchObject([
      { ...common, title: 'Jordan Reyes: EMT & Basic expires on Apr 10, 2026' },
    ])
    expect(after).toMatchObject([
      {
        ...common,
        title: 'Jordan Reyes: EMT & Basic expired on Apr 10, 2026',
        date_modified: '2026-04-11T04:00:00.000Z',
      },
    ])
  },
)

test('is rendered again when a certification has expired', async () => {
  const midnight = Date.parse('2026-04-11T04:00:00Z')
  const collection = await collectionAfter('training/membercerts', [[emt]], now - dayMs)
  const options = { profile: 'full', format: 'rss' } as const
  const before = renderFeed('training', collection, { ...options, now })
  const after = renderFeed('training', collection, { ...options, now: midnight })
  expect([before.validUntil, after.validFrom]).toEqual([midnight, midnight])
})

test('finds a certification by its current title if it had already expired when it was entered', async () => {
  const lapsed = { ...emt, expires: '2026-03-01', created: '2026-03-04 12:00:00' }
  const [title, ...others] = await titlesOf([lapsed])
  expect([title, others]).toEqual([expect.stringContaining('expired'), []])
  expect(await titlesOf([lapsed], { query: 'q=expired' })).toEqual([title])
  expect(await titlesOf([lapsed], { query: 'q=expires' })).toEqual([])
})
