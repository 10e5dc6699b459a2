import { z } from 'zod'
import * as field from './fields.ts'

export const publicEventSchema = z.object({
  id: field.id,
  title: field.text,
  status: field.status,
  location: field.text,
  contact: field.text,
  text: field.text,
  ...field.schedule,
  ...field.history,
})

/** An event from the site's public pages. */
export type PublicEvent = Readonly<z.infer<typeof publicEventSchema>>

/** An event from the members' area, in one of the site's calendars. */
export const calendarEventSchema = publicEventSchema.extend({
  calendarId: field.id,
  calendar: field.text,
})
