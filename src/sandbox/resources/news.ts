import { z } from 'zod'
import * as field from './field.ts'
import { isDuring, recordOf, type Resource } from './resource.ts'

const newsStory = z.strictObject({
  id: field.id,
  date: field.dateTime,
  headline: field.title,
  /** 1 = deployed (live). */
  deployed: field.flag,
  author: field.text,
  text: field.text,
  address: field.text,
  units: field.text,
  mutualAid: field.text,
  /** 1 = featured. */
  featured: field.flag,
  categoryId: field.reference,
  category: field.text,
  links: z.array(z.strictObject({ text: field.text, url: field.title })).default([]),
  images: field.listOf(
    z.strictObject({
      id: field.id,
      url: field.title,
      caption: field.text,
      width: field.amount,
      height: field.amount,
      fileSize: field.amount,
      front: field.flag,
    }),
  ),
  attachments: field.listOf(
    z.strictObject({
      id: field.id,
      fileName: field.title,
      url: field.title,
      extension: field.text,
      fileSize: field.amount,
      posted: field.optionalDateTime,
    }),
  ),
  videos: field.listOf(
    z.strictObject({
      id: field.id,
      embedCode: field.title,
      posted: field.optionalDateTime,
    }),
  ),
  ...field.history,
})

export type NewsStory = Readonly<z.output<typeof newsStory>>

export const news: Resource<NewsStory> = {
  record: newsStory,
  select(stories, parameters, { url }) {
    const id = parameters.number('ID')
    const categoryId = parameters.number('CategoryID')
    const period = parameters.period()
    const selected =
      id === undefined
        ? stories.filter(
            (story) =>
              (categoryId === undefined || story.categoryId === categoryId) &&
              isDuring(period, story.date),
          )
        : [recordOf(stories, id)]
    return { items: selected.map((story) => withWholeUrls(story, url)) }
  },
}

/** Makes the URLs of dataset files absolute, because a dataset can specify only their paths. */
function withWholeUrls(story: NewsStory, siteUrl: string): NewsStory {
  const whole = (path: string) => path.replace(/^\/(?!\/)/, `${siteUrl}/`)
  return {
    ...story,
    images: story.images.map((image) => ({ ...image, url: whole(image.url) })),
    attachments: story.attachments.map((file) => ({ ...file, url: whole(file.url) })),
    videos: story.videos.map((video) => ({
      ...video,
      embedCode: video.embedCode.replace(/\b(src|poster)=(["'])\/(?!\/)/g, `$1=$2${siteUrl}/`),
    })),
  }
}
