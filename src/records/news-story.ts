import { z } from 'zod'
import * as field from './fields.ts'

export const newsStorySchema = z.object({
  id: field.id,
  date: field.requiredDateTime,
  headline: field.text,
  deployed: field.flag,
  author: field.text,
  text: field.text,
  address: field.text,
  units: field.text,
  mutualAid: field.text,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
})

/** A news story; `text` may contain HTML. */
export type NewsStory = Readonly<z.infer<typeof newsStorySchema>>
