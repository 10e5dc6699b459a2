import { z } from 'zod'
import * as field from './field.ts'
import { isDuring, recordOf, type Resource } from './resource.ts'

const meetingMinutes = z.strictObject({
  id: field.id,
  meetingDate: field.date,
  title: field.title,
  text: field.text,
  status: field.status,
  /** 1 = visible on the public website. */
  public: field.flag,
  categoryId: field.id,
  category: field.title,
  ...field.history,
  files: field.files,
})

export type MeetingMinutes = Readonly<z.output<typeof meetingMinutes>>

export const minutes: Resource<MeetingMinutes> = {
  record: meetingMinutes,
  select(records, parameters) {
    const id = parameters.number('ID')
    const categoryId = parameters.number('CategoryID')
    const onlyPublic = parameters.flag('Public')
    const period = parameters.period()
    if (id !== undefined) return { items: [recordOf(records, id)] }
    return {
      items: records.filter(
        (record) =>
          (categoryId === undefined || record.categoryId === categoryId) &&
          (!onlyPublic || record.public === 1) &&
          isDuring(period, record.meetingDate),
      ),
    }
  },
}
