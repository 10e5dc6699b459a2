import { expect, test } from 'vitest'
import { asCanceled, saysCanceled } from '../../src/calendar/canceled-title.ts'
import { collectionAfter, feedWith, renderFeed } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'
import { eventOn, now, rendererOf, sourceAfter } from './rendered-calendar.ts'

test.for([
  'CANCELLED: Drill',
  'Canceled Drill',
  '*** CANCELED *** Drill',
  'Drill - CANCELED',
  'Drill (cancelled)',
  'Drill is canceled!',
  'Drill – canceled due to snow',
  'Rental: CANCELLED: Drill',
  'Übung abgesagt',
  'Übung fa\u0308llt aus',
  'Annulée : réunion',
  'Simulacro suspendido',
  'CANCELADO Desayuno',
])('%j says that it is canceled', (title) => {
  expect(saysCanceled(title)).toBe(true)
  expect(asCanceled(title, 'en-US')).toBe(title)
})

test.for([
  'Drill',
  'Drill is not canceled',
  'Un-canceled: Drill',
  'How to read canceled checks and stamps',
  'Cancellation policy',
])('%j does not', (title) => {
  expect(saysCanceled(title)).toBe(false)
  expect(asCanceled(title, 'en-US')).toBe(`Canceled: ${title}`)
})

const drill = { allDay: 0, startTime: '19:00', endTime: '21:00' }

test('shows an entry whose title says that it is canceled as free time, without reminders', async () => {
  const items = [
    eventOn('2026-03-06', 1, drill),
    eventOn('2026-03-06', 2, { ...drill, title: 'CANCELLED: Drill' }),
  ]
  const { text } = rendererOf()(await sourceAfter(items), { query: 'alarm=30&busy=1' })
  const [, on = '', off = ''] = text.split('BEGIN:VEVENT')
  expect(on).toContain('TRANSP:OPAQUE')
  expect(on).toContain('BEGIN:VALARM')
  expect(off).toContain('TRANSP:TRANSPARENT\r\nX-MICROSOFT-CDO-BUSYSTATUS:FREE')
  expect(off).toContain('STATUS:CONFIRMED')
  expect(off).not.toContain('BEGIN:VALARM')
})

test('still shows a booking as busy, because it blocks its room', async () => {
  const booking = { id: 1, typeId: 2, type: 'CANCELED Hall', startDate: '2026-03-06', allDay: 1 }
  const bookings = await collectionAfter('rental', [[booking]], now)
  expect(renderFeed('rental', bookings, { now, profile: 'full' }).text).toContain('TRANSP:OPAQUE')
})

test('says once that a removed entry is canceled', async () => {
  const canceled = eventOn('2026-03-06', 1, { ...drill, title: 'CANCELLED: Drill' })
  const source = await sourceAfter([canceled, eventOn('2026-03-07', 2)], [eventOn('2026-03-07', 2)])
  const { events } = rendererOf()(source, { query: 'cancelled=mark' })
  expect(events[0]?.summary).toBe('CANCELLED: Drill')
  expect(feedWith('calendar').changes?.(source, testSite)[0]?.text).toBe(
    'CANCELLED: Drill, Fri, Mar 6, 7 PM',
  )
})
