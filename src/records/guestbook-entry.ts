import { z } from 'zod'
import * as field from './fields.ts'

export const guestbookEntrySchema = z.object({
  id: field.id,
  created: field.requiredDateTime,
  status: field.status,
  name: field.text,
  email: field.text,
  rank: field.text,
  location: field.text,
  website: field.text,
  text: field.text,
})
