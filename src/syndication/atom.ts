import { Feed } from 'feed'
import { escapeAmpersands, escapeDollars, feedOptions, type Channel } from './channel.ts'
import { escapeHtml } from '../text/html.ts'
import type { FeedItem } from './feed-item.ts'

/** Renders Atom 1.0 (RFC 4287), with the language that `feed` leaves out. */
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
      content: escapeDollars(item.contentHtml),
      ...enclosure(item),
      author: item.author === '' ? [] : [{ name: escapeAmpersands(item.author) }],
      category: item.category === '' ? [] : [{ term: attributeText(item.category) }],
    })
  }
  return (
    withPlainConstructs(feed.atom1())
      .replace(/<feed [^>]*/, (start) => `${start} xml:lang="${channel.language}"`)
      // gPodder shows no link to the website without a type.
      .replace('<link rel="alternate" ', '$&type="text/html" ')
  )
}

/** Matches a title, a summary, any other CDATA section, or the start of a time, as written by `feed`. */
const constructs =
  /<(title|summary) type="html"><!\[CDATA\[(.*?)\]\]><\/\1>|<!\[CDATA\[.*?\]\]>|(<(?:updated|published)>[^.<]+)\.\d+Z/gs

/**
 * Marks titles and summaries as plain text (RFC 4287 3.1.1). `feed` marks them as HTML, which makes some
 * readers drop anything that looks like a tag. Content sections stay unchanged. Writes times in whole
 * seconds, because gPodder treats a time with a fraction as local time.
 */
function withPlainConstructs(xml: string): string {
  return xml.replace(constructs, (section, name?: string, escaped?: string, time?: string) => {
    if (time !== undefined) return `${time}Z`
    return name === undefined ? section : `<${name} type="text">${escaped}</${name}>`
  })
}

/** Replaces angle brackets in an attribute, because `feed` does not escape `<` and escapes `&lt;` twice. */
function attributeText(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›')
}

/**
 * Returns the first picture, unless `feed` would write the wrong type. It derives the type from the
 * file extension, such as the invalid `image/jpg` for a .jpg.
 */
function enclosure({ pictures: [picture] }: FeedItem): { readonly image?: string } {
  if (!picture) return {}
  const [ending] = new URL(picture.url).pathname.split('.').slice(-1)
  return picture.type === `image/${ending}` ? { image: picture.url } : {}
}
