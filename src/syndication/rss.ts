import { Feed } from 'feed'
import { escapeAmpersands, escapeDollars, feedOptions, type Channel } from './channel.ts'
import type { FeedItem } from './feed-item.ts'
import { enclosuresOf } from './media.ts'

const refreshMinutes = 5

/**
 * Renders RSS 2.0 with `content:encoded` and `dc:creator`. Readers that turn items into emails need
 * the channel's creator as the sender of items without an author.
 */
export function renderRss(channel: Channel, items: readonly FeedItem[]): string {
  const [title, description] = [textOrHtml(channel.title), textOrHtml(channel.description)]
  const feed = new Feed({
    ...feedOptions({ ...channel, title, description }, 'rss'),
    ttl: refreshMinutes,
  })
  for (const item of items) {
    feed.addItem({
      id: item.id,
      title: characterData(textOrHtml(item.title)),
      link: item.url,
      date: new Date(item.publishedAt),
      description: characterData(textOrHtml(item.summary)),
      ...(item.contentHtml === '' ? {} : { content: escapeDollars(item.contentHtml) }),
      category: item.category === '' ? [] : [{ name: elementText(item.category) }],
      extensions: [
        ...(item.author === '' ? [] : [creator(item.author)]),
        ...enclosure(item),
        ...mediaContents(item),
      ],
    })
  }
  feed.addExtension({ name: '_attributes', objects: namespaces(items) })
  feed.addExtension(creator(channel.author))
  return feed.rss2()
}

/** Returns the XML attributes of the channel element. `feed` declares `dc` only beside content. */
function namespaces(items: readonly FeedItem[]) {
  return {
    ...(items.some(({ contentHtml }) => contentHtml !== '')
      ? {}
      : { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' }),
    ...(items.some(({ pictures }) => pictures.length > 0)
      ? { 'xmlns:media': 'http://search.yahoo.com/mrss/' }
      : {}),
  }
}

/** The `author` element of RSS 2.0 is an email address. */
function creator(name: string) {
  return { name: 'dc:creator', objects: { _text: elementText(name) } }
}

/** Returns the first picture, or else the first file. Many readers support only one enclosure. */
function enclosure({ pictures, attachments }: FeedItem) {
  const [first] = enclosuresOf(pictures, attachments)
  if (!first) return []
  const { url, type, fileSize = 0 } = first
  const objects = { _attributes: { url: attribute(url), type, length: fileSize } }
  return [{ name: 'enclosure', objects }]
}

function mediaContents({ pictures }: FeedItem) {
  // Many readers show the front picture, and find out its type.
  const shown = pictures.filter(({ type }, index) => type !== undefined || index === 0)
  if (shown.length === 0) return []
  const objects = shown.map(({ url, type, width, height, fileSize, title }) => ({
    _attributes: {
      url: attribute(url),
      ...(type === undefined ? {} : { type }),
      medium: 'image',
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      ...(fileSize === undefined ? {} : { fileSize }),
    },
    ...(title === '' ? {} : { 'media:description': { _text: escapeAmpersands(title) } }),
  }))
  // `feed` has no type for repeated elements.
  return [{ name: 'media:content', objects: objects as never }]
}

function elementText(text: string): string {
  return escapeAmpersands(textOrHtml(text))
}

/** Escapes `]]>` after the first one. xml-js escapes only that, so a second would end the CDATA. */
function characterData(text: string): string {
  const [first = '', ...rest] = text.split(']]>')
  return rest.length === 0 ? first : `${first}]]>${rest.join(']]]]><![CDATA[>')}`
}

/** Escapes a URL for an attribute, because xml-js only escapes quotation marks there. */
function attribute(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Matches text that an HTML parser or tag filter could mistake for markup. */
const looksLikeMarkup = /<|&(?:#|[a-z][a-z\d])/i

/**
 * Escapes plain text for fields that some readers treat as text and others as HTML, like an RSS title.
 * Only escapes text that looks like markup, so `AT&T` stays `AT&T`.
 */
function textOrHtml(text: string): string {
  if (!looksLikeMarkup.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
