import { z } from 'zod'
import * as field from './field.ts'
import { isDuring, recordOf, type Resource } from './resource.ts'

const announcement = z.strictObject({
  id: field.id,
  headline: field.title,
  text: field.text,
  status: field.status,
  /** Empty if the announcement never expires. */
  expires: field.optionalDateTime,
  ...field.history,
})

export type Announcement = Readonly<z.output<typeof announcement>>

export const announce: Resource<Announcement> = {
  record: announcement,
  select(announcements, parameters, { now }) {
    const id = parameters.number('ID')
    const all = parameters.flag('All')
    const period = parameters.period()
    if (id !== undefined) return { items: [recordOf(announcements, id)] }
    return {
      items: announcements.filter(
        ({ expires, created }) =>
          (all || expires === '' || expires > now) && isDuring(period, created),
      ),
    }
  },
}
