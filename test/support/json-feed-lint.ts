import { z } from 'zod'

const url = z.url({ protocol: /^https?$/ })
const dateTime = z.iso.datetime({ offset: true })
const author = z.strictObject({ name: z.string().min(1) })

const item = z.strictObject({
  id: z.string().regex(/^tag:/),
  url,
  title: z.string().min(1),
  content_html: z.string().min(1),
  summary: z.string().optional(),
  image: url.optional(),
  banner_image: url.optional(),
  date_published: dateTime,
  date_modified: dateTime,
  authors: z.array(author).min(1).optional(),
  tags: z.array(z.string().min(1)).min(1).optional(),
  attachments: z
    .array(
      z.strictObject({
        url,
        mime_type: z.string().regex(/^[a-z]+\/[\w.+-]+$/),
        title: z.string().min(1).optional(),
        size_in_bytes: z.int().nonnegative().optional(),
      }),
    )
    .min(1)
    .optional(),
  _event: z
    .strictObject({
      start: z.union([z.iso.date(), dateTime]),
      end: z.union([z.iso.date(), dateTime]).optional(),
      all_day: z.boolean(),
      time_zone: z.string().min(1),
      place: z.string().min(1).optional(),
    })
    .optional(),
})

const feed = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  home_page_url: url,
  feed_url: url,
  description: z.string().optional(),
  icon: url,
  favicon: url,
  language: z.string().regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/),
  authors: z.array(author).min(1),
  hubs: z.array(z.strictObject({ type: z.literal('WebSub'), url })).optional(),
  items: z.array(item),
})

/** Returns all violations of JSON Feed 1.1 in a feed. */
export function lintJsonFeed(text: string): readonly string[] {
  const { data, error } = feed.safeParse(JSON.parse(text))
  const ids = data?.items.map(({ id }) => id) ?? []
  return [
    ...(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is duplicated`),
  ]
}
