import { z } from 'zod'
import * as field from './field.ts'
import { overlaps, recordOf, type Resource } from './resource.ts'

export const publicEvent = z.strictObject({
  id: field.id,
  title: field.title,
  status: field.status,
  location: field.text,
  contact: field.text,
  text: field.text,
  ...field.schedule,
  ...field.history,
})

export type PublicEvent = Readonly<z.output<typeof publicEvent>>

export const events: Resource<PublicEvent> = {
  record: publicEvent,
  select(publicEvents, parameters, { today }) {
    const id = parameters.number('ID')
    const all = parameters.flag('All')
    const given = parameters.period()
    if (id !== undefined) return { items: [recordOf(publicEvents, id)] }
    const hasRange = given.start !== undefined || given.end !== undefined
    const period = hasRange ? given : { start: today, end: undefined }
    return { items: publicEvents.filter((event) => all || overlaps(period, event)) }
  },
}
