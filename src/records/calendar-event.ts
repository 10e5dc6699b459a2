import * as field from './fields.ts'
import { publicEventSchema } from './public-event.ts'

/** An event from the members' area, in one of the site's calendars. */
export const calendarEventSchema = publicEventSchema.extend({
  calendarId: field.id,
  calendar: field.text,
})
