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
  featured: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  links: field.listOf(z.object({ text: field.text, url: field.text })),
  images: field.listOf(
    z.object({
      id: field.id,
      url: field.text,
      caption: field.text,
      width: field.optionalNumber,
      height: field.optionalNumber,
      fileSize: field.optionalNumber,
      front: field.flag,
    }),
  ),
  attachments: field.listOf(
    z.object({
      id: field.id,
      fileName: field.text,
      url: field.text,
      extension: field.text,
      fileSize: field.optionalNumber,
      posted: field.optionalDateTime,
    }),
  ),
  videos: field.listOf(
    z.object({ id: field.id, embedCode: field.text, posted: field.optionalDateTime }),
  ),
})

/** A news story. `text` may contain HTML; the image marked `front` comes first. */
export type NewsStory = Readonly<z.infer<typeof newsStorySchema>>
