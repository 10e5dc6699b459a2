import { Feed } from 'feed'
import { escapeAmpersands, feedOptions, type Channel } from './channel.ts'
import { escapeHtml } from './html.ts'
import type { FeedItem } from './feed-item.ts'

/** Atom 1.0 (RFC 4287). */
export function renderAtom(channel: Channel, items: readonly FeedItem[]): string {
  const feed = new Feed({
    ...feedOptions(channel, 'atom'),
    author: { name: escapeAmpersands(channel.author) },
  })
  for (const item of items) {
    feed.addItem({
      id: item.id,
      title: escapeHtml(item.title),
      description: escapeHtml(item.summary),
      link: item.url,
      date: new Date(item.updatedAt),
      published: new Date(item.publishedAt),
      content: item.contentHtml,
      ...enclosure(item),
      author: item.author === '' ? [] : [{ name: escapeAmpersands(item.author) }],
      category: item.category === '' ? [] : [{ term: attributeText(item.category) }],
    })
  }
  return withTextConstructs(feed.atom1())
}

/** A title or summary as `feed` writes it, or any other CDATA section. */
const htmlConstructs =
  /<(title|summary) type="html"><!\[CDATA\[(.*?)\]\]><\/\1>|<!\[CDATA\[.*?\]\]>/gs

/**
 * Marks titles and summaries as the plain text that they are (RFC 4287 3.1.1): `feed` marks them as
 * HTML, and some readers then drop what looks like a tag. They come escaped; contents stay as they are.
 */
function withTextConstructs(xml: string): string {
  return xml.replace(htmlConstructs, (section, name?: string, escaped?: string) =>
    name === undefined ? section : `<${name} type="text">${escaped}</${name}>`,
  )
}

/** `feed` leaves `<` in attributes as it is, and escapes an `&lt;` once more. */
function attributeText(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›')
}

/**
 * The first picture, if `feed` writes its true type: it takes that from the ending of the address,
 * whatever it is told, so that a .jpg would be an `image/jpg`, which there is not.
 */
function enclosure({ pictures: [picture] }: FeedItem): { readonly image?: string } {
  if (!picture) return {}
  const [ending] = new URL(picture.url).pathname.split('.').slice(-1)
  return picture.type === `image/${ending}` ? { image: picture.url } : {}
}
