import { z } from 'zod'
import * as field from './fields.ts'

/** A booking for one of the site's rental types. All fields except type and times are personal. */
export const rentalBookingSchema = z.object({
  id: field.id,
  typeId: field.optionalNumber,
  type: field.text,
  ...field.schedule,
  renter: field.text,
  renterPhone: field.text,
  details: field.text,
})
