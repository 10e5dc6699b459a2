import { z } from 'zod'
import * as field from './fields.ts'

/** An active member on the roster. Phone numbers and addresses are not needed, so they are not read. */
export const memberSchema = z.object({
  id: field.id,
  firstName: field.text,
  middleInitial: field.text,
  lastName: field.text,
  rank: field.text,
})
