import { expect, test } from 'vitest'
import { calendarFormats, newsFormats } from '../../src/feeds/formats.ts'
import { readerWaitMs, waitMsFor } from '../../src/front/starting.ts'

/* The front knows no feeds, so it recognizes the formats of feed readers by their endings. */

test.for(newsFormats)('waits longer for .%s', (format) => {
  expect(waitMsFor(`/news.${format}?limit=5`, 1)).toBe(readerWaitMs)
})

test.for(calendarFormats)('does not wait longer for .%s', (format) => {
  expect(waitMsFor(`/events.${format}`, 1)).toBe(1)
})
