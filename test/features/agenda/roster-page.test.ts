import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { startTestService } from '../../support/service.ts'
import { sharedPages } from '../../support/shared-service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [pattern] = sample.calendar
if (!pattern) throw new TypeError('the sample has no calendar')
const shift = (id: number, title: string, start: string, end = start) => ({
  ...pattern,
  ...sampleEvent(id, start, end, { title }),
})
const calendar = [
  shift(1, 'Duty weekend: Crew B & C', '2026-03-07', '2026-03-08'),
  shift(2, 'Night standby: Crew C', '2026-03-06T22:00:00', '2026-03-07T06:00:00'),
  shift(3, 'Drill', '2026-03-06T19:00:00', '2026-03-06T21:00:00'),
  shift(4, 'Duty weekend: Crew D', '2026-04-11', '2026-04-12'),
]
const { service, get } = sharedPages(
  { ...sample, calendar, events: [] },
  { publicFeedIds: ['calendar', 'signup'] },
)

const rowsOf = (text: string) =>
  [...text.matchAll(/<th scope="row">([^<]+)<\/th><td><a [^>]*>([^<]+)<\/a>/g)].map((row) =>
    row.slice(1),
  )

test('lists the shifts of four weeks, and the open places of sign-up sheets', async () => {
  await get('signup.ics')
  await service().clock.advance(10 * 60_000)
  const { status, text } = await get('roster')
  expect(status).toBe(200)
  expect(rowsOf(text)).toEqual([
    ['Fri Mar 6, 10 PM – Sat 6 AM', 'Night standby: Crew C'],
    ['Mar 7 – 8', 'Duty weekend: Crew B &amp; C'],
  ])
  expect(text).toMatch(/<section class="sheet card">\s*<h3><a href="signup\/\d+"/)
  expect(text).toMatch(/<strong>\d+ of \d+ places open<\/strong>/)
  expect(text).toMatch(/<caption[^>]*>Engine 1<\/caption>[^]*<span class="badge open">/)
  expect(text).not.toContain('Dana Marsh')
  expect((await get('roster?lang=de')).text).toContain('<h2 id="duty">Im Dienst</h2>')
  expect((await get('agenda')).text).toContain('<a class="pill" href="roster">Duty and sign-ups')
})

test('names people only below a link with the profile full', async () => {
  const link = await service().addLink({ feedIds: ['calendar', 'signup'], profile: 'full' })
  expect((await service().get(`${new URL(link).pathname}roster`)).text).toContain('Dana Marsh')
})

test('shows at most 300 shifts, and links to the rest', async () => {
  const shifts = Array.from({ length: 302 }, (_, index) =>
    shift(
      100 + index,
      `Night standby: Crew ${index}`,
      '2026-03-06T22:00:00',
      '2026-03-07T06:00:00',
    ),
  )
  await using full = await startTestService({
    sandbox: { datasetOn: () => ({ ...sample, calendar: shifts, events: [] }) },
    publicFeedIds: ['calendar'],
  })
  const { text } = await full.get('roster')
  expect(rowsOf(text)).toHaveLength(300)
  expect(text).toMatch(/<a href="agenda"[^>]*>2 more</)
})
