import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sharedPages } from '../../support/shared-service.ts'
import { startTestService } from '../../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [booking] = sample.rental
if (!booking) throw new TypeError('an empty sample')

const about = { renter: 'Secret Renter', renterPhone: '555-0199', details: 'Surprise party' }
const partyOn = (id: number, typeId: number, type: string, day: string) => {
  const times = { startDate: day, endDate: day, allDay: 1 as const, startTime: '', endTime: '' }
  return { ...booking, ...about, id, typeId, type, ...times }
}
const dataset = {
  ...sample,
  rental: [
    partyOn(7, 1, 'Social Hall', '2026-03-07'),
    partyOn(8, 2, 'Pavilion', '2026-04-11'),
    partyOn(9, 0, '', '2026-05-09'),
  ],
}

const { service, get } = sharedPages(dataset)
const spoilt = sharedPages({
  ...sample,
  rental: [
    { ...partyOn(7, 1, 'Social Hall', '2026-03-21'), endDate: '2062-03-21' },
    { ...partyOn(8, 1, 'Social Hall', '2026-03-28'), startDate: '2026-03-28, maybe' },
  ],
})

test.for([
  [
    'en',
    'Some bookings could not be read',
    'booking that starts on this day ends a year or more later: Mar 21.',
  ],
  ['es', 'No se pudieron leer algunas reservas', 'termina un año o más después: '],
  ['fr', 'Certaines réservations n’ont pas pu être lues', 'se termine au moins un an plus tard'],
  ['de', 'Einige Buchungen konnten nicht gelesen werden', 'ein Jahr oder mehr danach: '],
] as const)('says which bookings it cannot count: %s', async ([lang, unread, distantEnd]) => {
  const { text } = await spoilt.get(`rental/free?lang=${lang}`)
  expect(text).toContain(unread)
  expect(text).toContain(distantEnd)
  expect(text.match(/class="day taken">\d/g)).toHaveLength(1)
  expect((await get('rental/free?type=1')).text).not.toContain(unread)
})

test('shows free and taken days of a hall for twelve months', async () => {
  const { status, text } = await get('rental/free?type=1')
  expect(status).toBe(200)
  expect(text).toContain('<h2 dir="auto">Social Hall</h2>')
  expect(text.indexOf('Request a day')).toBeLessThan(text.indexOf('<caption>'))
  expect(text.match(/<caption>/g)).toHaveLength(12)
  expect(text).toContain('Next free Saturdays: Mar 14, Mar 21, Mar 28, Apr 4, Apr 11, Apr 18.')
  expect(text.match(/class="day taken">\d/g)).toHaveLength(2)
  expect((await get('rental/free?type=2')).text).toContain('Next free Saturdays: Mar 7, Mar 14,')
})

test('does not offer a day with a booking that may be for any hall', async () => {
  for (const type of [1, 2]) {
    const { text } = await get(`rental/free?type=${type}`)
    expect(text).toMatch(/<caption>May 2026<[^]*?class="day taken">9</)
  }
})

test('never names a renter, not even below a link with the full profile', async () => {
  const link = await service().addLink({ profile: 'full' })
  for (const base of [`${service().url}/`, link]) {
    const { status, text } = await get('rental/free?type=1', base)
    expect(status).toBe(200)
    expect(text).not.toMatch(/Secret|555-0199|Surprise/)
  }
})

test('explains an unknown hall, and that rentals are private', async () => {
  const { status, text } = await get('rental/free?type=9')
  expect([status, text.trim()]).toEqual([400, 'type must be one of 2 (Pavilion), 1 (Social Hall).'])
  await using part = await startTestService({ publicFeedIds: ['events'] })
  expect((await get('rental/free', `${part.url}/`)).status).toBe(403)
})
