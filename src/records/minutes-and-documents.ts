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

/** `text` may contain HTML; documents with `public` set are visible on the public website. */
export const documentSchema = z.object({ id: field.id, ...filed })

/** Minutes have the same fields as a document, plus the meeting date. */
export const meetingMinutesSchema = z.object({
  id: field.id,
  meetingDate: field.requiredDate,
  ...filed,
})
