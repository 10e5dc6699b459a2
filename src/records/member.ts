import { z } from 'zod'
import * as field from './fields.ts'

/** An active member on the roster, without phone numbers and addresses, which only contacts need. */
export const memberSchema = z.object({
  id: field.id,
  firstName: field.text,
  middleInitial: field.text,
  lastName: field.text,
  rank: field.text,
})

/** An active member with contact data, which is only read for links that include the members. */
export const memberContactSchema = memberSchema.extend({
  phone1: field.text,
  phone1Type: field.text,
  phone2: field.text,
  phone2Type: field.text,
  phone3: field.text,
  phone3Type: field.text,
  email: field.text,
  address1: field.text,
  address2: field.text,
  city: field.text,
  state: field.text,
  zip: field.text,
})
