/*
 * Typical Express server. Takes two arguments: the directory that contains the calendar and the
 * events, and the mode. The mode is `plain`, `compression`, or `render`, which renders the calendar
 * on every request.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import compression from 'compression'
import express from 'express'
import ical from 'ical-generator'
import { DateTime } from 'luxon'
import { timeZone, type DatasetEvent } from '../running/dataset.ts'

const [directory = '', mode = ''] = process.argv.slice(2)
const text = readFileSync(join(directory, 'events.ics'), 'utf8')
const events: readonly DatasetEvent[] = JSON.parse(
  readFileSync(join(directory, 'events.json'), 'utf8'),
)

const application = express()
if (mode === 'compression') application.use(compression())
application.get('/events.ics', (_request, response) => {
  response.type('text/calendar').send(mode === 'render' ? calendarText() : text)
})
const server = application.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})

function calendarText(): string {
  const calendar = ical({ name: 'Events', timezone: { name: null, generator: () => '' } })
  for (const event of events) {
    const modified = new Date(`${event.modified}Z`)
    const zoned = (date: string, time: string) =>
      DateTime.fromISO(`${date}T${time}`, { zone: event.allDay ? 'utc' : timeZone })
    calendar.createEvent({
      id: `events-${event.id}@localhost`,
      summary: event.title,
      location: event.location,
      description: event.text,
      allDay: event.allDay === 1,
      stamp: modified,
      lastModified: modified,
      start: zoned(event.startDate, event.startTime),
      ...(event.allDay ? {} : { end: zoned(event.endDate, event.endTime), timezone: timeZone }),
      url: `http://127.0.0.1/events/${event.id}`,
    })
  }
  return calendar.toString()
}
