import { z } from 'zod'
import * as field from './field.ts'
import { filed, selectFiled } from './filed.ts'
import type { Resource } from './resource.ts'

const meetingMinutes = z.strictObject({
  id: field.id,
  meetingDate: field.date,
  ...filed,
})

export type MeetingMinutes = Readonly<z.output<typeof meetingMinutes>>

export const minutes: Resource<MeetingMinutes> = {
  record: meetingMinutes,
  select: (records, parameters) =>
    selectFiled(records, parameters, ({ meetingDate }) => meetingDate),
}
