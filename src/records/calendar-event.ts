import type { z } from 'zod'
import * as field from './fields.ts'
import { publicEventSchema } from './public-event.ts'

export const calendarEventSchema = publicEventSchema.extend({
  calendarId: field.id,
  calendar: field.text,
})

/** An event of the members' area; it belongs to one of the site's calendars. */
export type CalendarEvent = Readonly<z.infer<typeof calendarEventSchema>>
