import { expect, test } from 'vitest'
import { createPageWords } from '../../src/web/templates.ts'
import { testSite } from '../support/site.ts'

test('finds the current day once a minute, but in time for the next one', () => {
  let now = Date.parse('2026-03-06T04:59:30Z')
  let lookups = 0
  const site = {
    ...testSite,
    get timeZone() {
      lookups += 1
      return 'America/New_York'
    },
  }
  const { when } = createPageWords(site, { now: () => now })
  const drill = { start: '2026-03-06T19:00:00', end: undefined, allDay: false }
  for (let count = 0; count < 3; count += 1) expect(when(drill)).toBe('Tomorrow, 7 PM')
  expect(lookups).toBe(1)
  now = Date.parse('2026-03-06T05:00:00Z')
  expect(when(drill)).toBe('Today, 7 PM')
})
