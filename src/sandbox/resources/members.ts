import { z } from 'zod'
import * as field from './field.ts'
import { recordOf, type Resource } from './resource.ts'

const member = z.strictObject({
  id: field.id,
  deptId: field.text,
  firstName: field.title,
  middleInitial: field.text,
  lastName: field.title,
  rankId: field.reference,
  rank: field.text,
  memberTypeId: field.reference,
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

/** Active member. Datasets contain only active members. */
export type Member = Readonly<z.output<typeof member>>

export const members: Resource<Member> = {
  record: member,
  select(roster, parameters) {
    const id = parameters.number('ID')
    return { items: id === undefined ? roster : [recordOf(roster, id)] }
  },
}
