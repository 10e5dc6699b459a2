import { z } from 'zod'
import * as field from './fields.ts'

/** `text` may contain HTML. An announcement without `expires` never expires. */
export const announcementSchema = z.object({
  id: field.id,
  headline: field.text,
  text: field.text,
  status: field.status,
  expires: field.expiry,
  ...field.history,
})
