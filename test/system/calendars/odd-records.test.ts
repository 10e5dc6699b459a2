import { expect, test } from 'vitest'
import { event, serviceOf } from '../../support/odd-website.ts'
import { calendarPrograms, type ShownEntry } from './calendar-programs.ts'

/** Records as websites really send them, and what calendar programs show. */
const records: readonly (readonly [change: object, title: string, start: string, end: string])[] = [
  [
    { title: 'Date with time', startDate: '2026-03-10 00:00:00' },
    'Date with time',
    '2026-03-10 19:00',
    '2026-03-10 21:00',
  ],
  [
    { title: 'Dummy date', startTime: '1899-12-30T18:00:00.000Z', endTime: '1900-01-01 21:00:00' },
    'Dummy date',
    '2026-03-11 18:00',
    '2026-03-11 21:00',
  ],
  [
    { title: 'Zone', startTime: '7:00 PM EST', endTime: '9:00 p.m. EST' },
    'Zone',
    '2026-03-11 19:00',
    '2026-03-11 21:00',
  ],
  [
    { title: 'After midnight', startTime: '22:00:00', endTime: '02:00:00' },
    'After midnight',
    '2026-03-11 22:00',
    '2026-03-12 02:00',
  ],
  [
    { title: 'Days', endDate: '2026-03-13', startTime: '00:00:00', endTime: '00:00:00' },
    'Days',
    '2026-03-11',
    '2026-03-13',
  ],
  [
    { title: 'Placeholder', endDate: '0000-00-00' },
    'Placeholder',
    '2026-03-11 19:00',
    '2026-03-11 21:00',
  ],
  [{ title: 'Unreadable', startTime: 'after dark' }, 'Unreadable', '2026-03-11', '2026-03-11'],
  [
    { title: 'Skipped', startDate: '2026-03-08', startTime: '02:30:00', endTime: '04:30:00' },
    'Skipped',
    '2026-03-08 03:30',
    '2026-03-08 04:30',
  ],
  [
    { title: '6\u00969 PM, Chief\u0092s; <b>hall</b> &amp; yard <TBD>' },
    '6–9 PM, Chief’s; hall & yard <TBD>',
    '2026-03-11 19:00',
    '2026-03-11 21:00',
  ],
  [
    { title: 'Two\u2028lines\u0000 and\r\nEND:VEVENT' },
    'Two lines and END:VEVENT',
    '2026-03-11 19:00',
    '2026-03-11 21:00',
  ],
  [
    { title: '&#55357;&#56960; Café 👩‍🚒 消防署' },
    '🚀 Café 👩‍🚒 消防署',
    '2026-03-11 19:00',
    '2026-03-11 21:00',
  ],
]

const events = records.map(([change], index) => {
  const { startDate = '2026-03-11' } = change as { readonly startDate?: string }
  // Texts with line separators and escapes must not change what a program reads.
  const text = 'Bring gloves.\u2028Meet at 7\u0085<br>a;b,c "d" \\e : END:VEVENT'
  return event(index + 1, startDate, { text, location: 'Hall<br>12 Mill Road', ...change })
})

const byTitle = (a: ShownEntry, b: ShownEntry) => a.title.localeCompare(b.title)

for (const { name, isMissing, read } of calendarPrograms) {
  test.skipIf(isMissing)(`${name} shows what odd records mean`, async () => {
    const { get } = await serviceOf({ events })
    const shown = read([await get('events.ics')], { timeZone: 'America/New_York' })
    const expected = records.map(([, title, start, end]) => ({ title, start, end }))
    expect(shown.toSorted(byTitle)).toEqual(expected.toSorted(byTitle))
  })
}
