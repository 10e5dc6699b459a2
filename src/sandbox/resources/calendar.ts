import { z } from 'zod'
import { publicEvent } from './events.ts'
import * as field from './field.ts'
import { overlaps, recordOf, type Resource } from './resource.ts'
import { windowFrom } from './window.ts'

const windowDays = 30

const { id, ...eventFields } = publicEvent.shape

const calendarEvent = z.strictObject({
  id,
  calendarId: field.reference,
  calendar: field.text,
  ...eventFields,
})

export type CalendarEvent = Readonly<z.output<typeof calendarEvent>>

export const calendar: Resource<CalendarEvent> = {
  record: calendarEvent,
  select(calendarEvents, parameters, { today }) {
    const id = parameters.number('ID')
    const calendarId = parameters.number('CalendarID')
    const isOpen = parameters.flag('All') || id !== undefined
    const { period, shown } = windowFrom(parameters, { today, days: windowDays, isOpen })
    if (id !== undefined) return { items: [recordOf(calendarEvents, id)], extra: shown }
    const items = calendarEvents.filter(
      (event) =>
        (calendarId === undefined || event.calendarId === calendarId) && overlaps(period, event),
    )
    return { items, extra: shown }
  },
}
