import { expect, test } from 'vitest'
import { durationText, noticeFromAlert } from '../../../src/delivery/notifications/alert-notices.ts'
import { alertSiteFrom } from '../../../src/delivery/notifications/site-notifications.ts'
import { testSite } from '../../support/site.ts'

const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(60 * count)

test.for([
  [1, '1 minute'],
  [minutes(1.5), '2 minutes'],
  [hours(1), '1 hour'],
  [hours(2) + minutes(5), '2 hours and 5 minutes'],
  [hours(23) + minutes(59), '23 hours and 59 minutes'],
  [hours(24) + minutes(59), '1 day'],
  [hours(47) + minutes(59), '1 day and 23 hours'],
] as const)('writes %s ms as %s', ([durationMs, text]) => {
  expect(durationText(durationMs)).toBe(text)
})

test.for([
  ['en-US', 'Thu, Mar 5, 10:05 AM'],
  ['en-GB', 'Thu, 5 Mar, 10:05'],
  ['es-US', 'Thu, Mar 5, 10:05 AM'],
  ['de-DE', 'Thu, 5 Mar, 10:05'],
  ['pt-BR', 'Thu, 5 Mar, 10:05'],
] as const)('writes times for a site in %s as %s', ([language, text]) => {
  const since = Date.parse('2026-03-05T15:05:00Z')
  const problem = { key: 'a', title: 'A', sentence: 'B.', since, urgency: 'normal' } as const
  const site = alertSiteFrom({ ...testSite, language }, { hasAdminPage: false })
  const { lines } = noticeFromAlert({ kind: 'opened', problem }, site, since)
  expect(lines.at(-1)?.text).toBe(`Since ${text}. This can wait until morning.`)
})

const site = alertSiteFrom(testSite, { hasAdminPage: false })
const now = Date.parse('2026-03-05T15:00:00Z')

test.for([
  ['urgent', 'This cannot wait until morning.'],
  ['normal', 'This can wait until morning.'],
  ['note', 'This can wait for a few days.'],
] as const)('says how long a problem can wait that is %s, also in reminders', ([urgency, text]) => {
  const problem = { key: 'a', title: 'A', sentence: 'B.', since: now - hours(1), urgency }
  const opened = noticeFromAlert({ kind: 'opened', problem }, site, now)
  expect(opened.lines).toEqual([{ text: 'B.' }, { text: `Since Thu, Mar 5, 9:00 AM. ${text}` }])
  const reminder = noticeFromAlert({ kind: 'reminder', problems: [problem] }, site, now)
  expect(reminder.lines).toEqual([{ text: `A, since Thu, Mar 5, 9:00 AM. B. ${text}` }])
})

const ended = {
  key: 'website-unreachable',
  title: 'The website cannot be read',
  since: now - hours(2),
  until: now - minutes(5),
}

test('says what works again when a problem has ended, and later in a summary', () => {
  const over = noticeFromAlert({ kind: 'over', ...ended }, site, now)
  expect(over).toMatchObject({ title: 'The website can be read again', thread: expect.any(String) })
  expect(over.lines).toEqual([
    {
      text: 'The problem lasted 1 hour and 55 minutes, from Thu, Mar 5, 8:00 AM to Thu, Mar 5, 9:55 AM.',
    },
  ])
  const summary = noticeFromAlert({ kind: 'summary', problems: [], past: [ended] }, site, now)
  expect(summary.lines).toEqual([
    {
      text: 'The website can be read again, since Thu, Mar 5, 9:55 AM, after 1 hour and 55 minutes.',
    },
  ])
})
