import { DateTime } from 'luxon'

export const timeZone = 'America/New_York'

/** Event in the format of the sandbox's `events.json`. */
export type DatasetEvent = {
  readonly id: number
  readonly title: string
  readonly status: number
  readonly location: string
  readonly contact: string
  readonly text: string
  readonly allDay: number
  readonly startDate: string
  readonly endDate: string
  readonly startTime: string
  readonly endTime: string
  readonly modified: string
}

/**
 * Day of the first event, relative to today. All events fall within the service's window, and most
 * are in the future.
 */
const firstDay = -100
const days = 600

const titles = ['Pancake breakfast', 'Chicken barbecue', 'Blood drive', 'Open house', 'CPR class']
const places = ['Station 1', 'Memorial field', 'Grange hall', '']
const sentences = [
  'Doors open half an hour before; parking is behind the station.',
  'Take-out is available from noon until everything is sold.',
  'Bring the family, the trucks are out for everyone to see.',
  'Please reserve by phone, there are only forty places.',
  'All proceeds go towards the new rescue tool.',
]

/**
 * Creates one event after another, starting before today. Returns the same events every time it is
 * called on a given day.
 */
export function datasetEvents(count: number): readonly DatasetEvent[] {
  const today = DateTime.now().setZone(timeZone).startOf('day')
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1
    const day =
      today.plus({ days: firstDay + Math.floor((index * days) / count) }).toISODate() ?? ''
    const hour = 8 + (id % 10)
    return {
      id,
      title: `${pick(titles, id)} ${id}`,
      status: 2,
      location: pick(places, id),
      contact: '',
      text: id % 8 === 0 ? pick(sentences, id * 7) : '',
      allDay: id % 3 === 0 ? 1 : 0,
      startDate: day,
      endDate: day,
      startTime: `${clock(hour)}:30:00`,
      endTime: `${clock(hour + 2)}:00:00`,
      modified: `2026-01-03 10:${clock(id % 60)}:00`,
    }
  })
}

/** Changes the title of one of today's events, which every calendar shows. */
export function withOneChanged(
  events: readonly DatasetEvent[],
  title: string,
): readonly DatasetEvent[] {
  const today = DateTime.now().setZone(timeZone).toISODate()
  const changed = events.findIndex(({ startDate }) => startDate === today)
  return events.map((event, index) => (index === changed ? { ...event, title } : event))
}

function pick(texts: readonly string[], index: number): string {
  return texts[index % texts.length] ?? ''
}

function clock(number: number): string {
  return String(number).padStart(2, '0')
}
