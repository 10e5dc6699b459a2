import { expect, test } from 'vitest'
import { feeds } from '../src/feeds.ts'
import { readRecords } from '../src/records/read-records.ts'
import { sampleDatasetOn } from '../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from './support/calendar-lint.ts'
import { expectGolden } from './support/golden.ts'
import { testSite } from './support/site.ts'

const sample = sampleDatasetOn('2026-03-05')
const now = Date.parse('2026-03-05T15:00:00Z')

const documents = feeds.flatMap((feed) => feed.formats.map((format) => ({ feed, format })))

function textOf({ feed, format }: (typeof documents)[number]): string {
  const { records } = readRecords(feed.resource, sample[feed.resource])
  return feed.render(records, { format, site: testSite, now }).text
}

test.for(documents)('$feed.id.$format of the sample is as ever', (document) => {
  expectGolden(`${document.feed.id}.${document.format}`, textOf(document))
})

test.for(documents.filter(({ format }) => format === 'ics'))(
  '$feed.id.$format of the sample has no fault',
  (document) => {
    expect(lintCalendar(Buffer.from(textOf(document)))).toEqual([])
  },
)

test.for(['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati'])(
  'the zone of the server makes no difference: %s',
  (zone) => {
    const before = process.env['TZ']
    process.env['TZ'] = zone
    try {
      expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
      for (const document of documents) {
        expectGolden(`${document.feed.id}.${document.format}`, textOf(document))
      }
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  },
)
