import { z } from 'zod'
import * as field from './fields.ts'

const filed = {
  title: field.text,
  text: field.text,
  status: field.status,
  public: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  files: field.listOf(
    z.object({
      id: field.id,
      fileName: field.text,
      extension: field.text,
      fileSize: field.optionalNumber,
    }),
  ),
}

/** `text` may contain HTML; `public` ones are visible on the public website. */
export const documentSchema = z.object({ id: field.id, ...filed })

/** The same of a meeting. */
export const meetingMinutesSchema = z.object({
  id: field.id,
  meetingDate: field.requiredDate,
  ...filed,
})
