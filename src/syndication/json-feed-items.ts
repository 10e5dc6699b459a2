import type { FeedItem } from './feed-item.ts'
import type { Media } from './media.ts'

/** The parts of a JSON Feed by `renderJsonFeed` that are read back. */
type WrittenFeed = {
  readonly authors: readonly { readonly name: string }[]
  readonly items: readonly {
    readonly id: string
    readonly url: string
    readonly title: string
    readonly summary: string
    readonly content_html: string
    readonly date_published: string
    readonly date_modified: string
    readonly tags?: readonly string[]
    readonly authors?: readonly { readonly name: string }[]
    readonly attachments?: readonly {
      readonly url: string
      readonly mime_type: string
      readonly title?: string
      readonly size_in_bytes?: number
    }[]
  }[]
}

/** Returns the items of a JSON Feed that `renderJsonFeed` has rendered, and the name of its author. */
export function itemsFromJsonFeed(text: string): {
  readonly author: string
  readonly items: readonly FeedItem[]
} {
  const feed = JSON.parse(text) as WrittenFeed
  return { author: feed.authors[0]?.name ?? '', items: feed.items.map(itemFrom) }
}

function isPicture({ type }: Media): boolean {
  return type.startsWith('image/')
}

function itemFrom(item: WrittenFeed['items'][number]): FeedItem {
  const media = (item.attachments ?? []).map((attachment): Media => ({
    url: attachment.url,
    type: attachment.mime_type,
    title: attachment.title ?? '',
    fileSize: attachment.size_in_bytes,
  }))
  return {
    id: item.id,
    recordId: 0,
    url: item.url,
    title: item.title,
    summary: item.summary,
    contentHtml: item.content_html,
    author: item.authors?.[0]?.name ?? '',
    category: item.tags?.[0] ?? '',
    pictures: media
      .filter(isPicture)
      .map((picture) => ({ ...picture, width: undefined, height: undefined })),
    attachments: media.filter((each) => !isPicture(each)),
    publishedAt: Date.parse(item.date_published),
    updatedAt: Date.parse(item.date_modified),
    expiresAt: Infinity,
  }
}
