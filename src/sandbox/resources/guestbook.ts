import { z } from 'zod'
import * as field from './field.ts'
import { isDuring, recordOf, type Resource } from './resource.ts'

const guestbookEntry = z.strictObject({
  id: field.id,
  created: field.dateTime,
  status: field.status,
  name: field.title,
  email: field.text,
  /** Rank or title of the visitor. */
  rank: field.text,
  location: field.text,
  website: field.text,
  text: field.text,
})

export type GuestbookEntry = Readonly<z.output<typeof guestbookEntry>>

export const guestbook: Resource<GuestbookEntry> = {
  record: guestbookEntry,
  select(entries, parameters) {
    const id = parameters.number('ID')
    const period = parameters.period()
    if (id !== undefined) return { items: [recordOf(entries, id)] }
    return { items: entries.filter(({ created }) => isDuring(period, created)) }
  },
}
