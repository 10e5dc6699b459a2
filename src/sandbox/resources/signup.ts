import { z } from 'zod'
import * as field from './field.ts'
import { recordOf, type Resource } from './resource.ts'

const slot = z.strictObject({
  id: field.id,
  /** The slot's capacity. */
  number: z.int().min(0),
  position: field.text,
  signedUp: z
    .array(z.strictObject({ name: field.text, note: field.text, date: field.text }))
    .default([]),
})

const signUpSheet = z.strictObject({
  id: field.id,
  title: field.title,
  status: field.status,
  date: field.date,
  /** Free text. */
  eventDate: field.text,
  /** Contact person. */
  contact: field.text,
  groups: field.listOf(
    z.strictObject({ id: field.id, name: field.text, slots: field.listOf(slot) }),
  ),
  ...field.history,
})

export type SignUpSheet = Readonly<z.output<typeof signUpSheet>>

export const signup: Resource<SignUpSheet> = {
  record: signUpSheet,
  select(sheets, parameters, { today }) {
    const id = parameters.number('ID')
    const all = parameters.flag('All')
    if (id !== undefined) {
      const sheet = recordOf(sheets, id)
      return { items: sheet.groups, extra: { sheet: { ...listed(sheet), contact: sheet.contact } } }
    }
    return { items: sheets.filter(({ date }) => all || date >= today).map(listed) }
  },
}

function listed({ contact: _contact, groups: _groups, ...sheet }: SignUpSheet) {
  return sheet
}
