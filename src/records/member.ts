import { z } from 'zod'
import * as field from './fields.ts'

/** An active member on the roster. */
export const memberSchema = z.object({
  id: field.id,
  deptId: field.text,
  firstName: field.text,
  middleInitial: field.text,
  lastName: field.text,
  rankId: field.optionalNumber,
  rank: field.text,
  memberTypeId: field.optionalNumber,
  memberType: field.text,
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
