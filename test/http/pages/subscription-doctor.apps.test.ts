import { expect, test } from 'vitest'
import { appRefreshesFrom } from '../../../src/http/pages/subscription-doctor.ts'
import type { LinkApp } from '../../../src/links/link-use.ts'

const hour = 60 * 60_000
const now = Date.parse('2026-03-05T17:00:00Z')
const timeZone = 'America/New_York'

function shownFor(app: LinkApp, ...hoursAgo: readonly number[]) {
  const refreshes = hoursAgo.map((hours) => now - hours * hour)
  const use = { app, at: Math.max(...refreshes), refreshes, days: [] }
  return appRefreshesFrom([use], { now, timeZone })[0]
}

test.for<{
  name: string
  app?: LinkApp
  hoursAgo: readonly number[]
  last?: string
  next: string
  habit?: string
}>([
  {
    name: 'an app that has just been added',
    hoursAgo: [1],
    last: 'Last refreshed March 5, 11:00 AM.',
    next: 'Next refresh expected between March 5, 7:00 PM and March 6, 11:00 AM.',
    habit: 'It refreshes every 8 to 24 hours, which cannot be changed.',
  },
  {
    name: 'an app that refreshes again on the same day',
    app: 'reader',
    hoursAgo: [0],
    next: 'Next refresh expected between March 5, 12:15 PM and 1:00 PM.',
    habit: 'It refreshes every 15 to 60 minutes.',
  },
  {
    name: 'an app that may refresh at any moment',
    hoursAgo: [9],
    next: 'Next refresh expected by March 6, 3:00 AM.',
  },
  {
    name: 'an app that refreshes regularly',
    hoursAgo: [25, 13, 1],
    next: 'Next refresh expected around March 5, 11:00 PM.',
    habit: 'It usually refreshes about every 12 hours.',
  },
  {
    name: 'an app that refreshes every half hour',
    app: 'Thunderbird',
    hoursAgo: [1.5, 1, 0.5, 0],
    next: 'Next refresh expected around March 5, 12:30 PM.',
    habit: 'It usually refreshes about every 30 minutes.',
  },
  {
    name: 'an app with a normal delay',
    hoursAgo: [30],
    next: 'The next refresh was expected by March 5, 6:00 AM; such a delay is still normal.',
  },
  {
    name: 'an app that is late',
    hoursAgo: [48],
    next: 'The next refresh was expected by March 4, 12:00 PM, so it is late.',
  },
  {
    name: 'an app that has stopped',
    hoursAgo: [80 * 24],
    last: 'Last refreshed December 15, 2025, 12:00 PM.',
    next: 'It has stopped refreshing, probably because the subscription was removed from the app.',
  },
  {
    name: 'a browser',
    app: 'other',
    hoursAgo: [5, 2],
    last: 'Last used March 5, 10:00 AM.',
    next: '',
    habit: '',
  },
])('describes $name', ({ app = 'Google', hoursAgo, last, next, habit }) => {
  const shown = shownFor(app, ...hoursAgo)
  expect({ ...shown, last: last ?? shown?.last, habit: habit ?? shown?.habit, next }).toEqual(shown)
})

test('offers the steps for the app', () => {
  expect(shownFor('Google', 48)?.steps.join()).toContain('calendar.google.com')
  expect(shownFor('Apple', 48)?.steps.join()).toContain('Fetch New Data')
})
