import { fileTypeOf } from '../text/file-types.ts'
import type { RecordOf } from '../records/read-records.ts'
import { lineWithCommas, oneLine } from '../text/plain-text.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import { itemDraft, summaryOf, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, paragraphsFrom } from '../text/html.ts'
import * as media from './media.ts'
import { itemMessages } from './messages.ts'
import type { ItemMessages } from './messages/en.ts'

/** Converts a story to an item, even if it is dated in the future. */
export function draftFromStory(story: RecordOf['news'], source: ItemSource) {
  const { siteUrl, timeZone } = source
  return itemDraft(story, source, {
    idPrefix: 'news',
    publishedAt: instantFromSiteTime(story.date, timeZone),
    title: () => titleOf(story.headline, source),
    contents: () => {
      const pictures = media.picturesOf(story, siteUrl, source.pictureTypes)
      return {
        summary: () => summaryOf(story.text),
        html: htmlParts(story, pictures, source),
        author: oneLine(story.author),
        category: oneLine(story.category),
        pictures,
        attachments: media.attachmentsOf(story, source),
      }
    },
  })
}

/** Returns the incident facts and the front picture, followed by the text and the other media. */
function htmlParts(
  story: RecordOf['news'],
  pictures: readonly media.Picture[],
  source: ItemSource,
): readonly string[] {
  const { siteUrl } = source
  const messages = itemMessages(source.language).story
  const text = cleanHtml(story.text, siteUrl)
  // Many stories also embed their pictures and videos in the text.
  const figures = pictures.map((picture) =>
    text.includes(`src="${escapeHtml(picture.url)}"`) ? '' : media.pictureHtml(picture),
  )
  const players = media
    .playersOf(story, siteUrl)
    .filter((url) => !text.includes(`href="${escapeHtml(url)}"`))
    .map((url) => ({ url, title: isAudio(url) ? messages.listen : messages.watchVideo }))
  return [
    incidentFacts(story, messages),
    ...figures.slice(0, 1),
    text,
    ...figures.slice(1),
    ...media.captionsOf(story, siteUrl).map(paragraphsFrom),
    media.linkListHtml([
      ...players,
      ...media.attachmentsOf(story, source, ['https:', 'http:']),
      ...media.linksOf(story, siteUrl),
    ]),
  ]
}

const isAudio = (url: string) => fileTypeOf(new URL(url).pathname)?.startsWith('audio/') ?? false

function incidentFacts(story: RecordOf['news'], messages: ItemMessages['story']): string {
  const facts = [
    [messages.address, story.address],
    [messages.units, story.units],
    [messages.mutualAid, story.mutualAid],
  ]
    .map(([label, value = '']) => [label, lineWithCommas(value)])
    .filter(([, value]) => value)
  if (facts.length === 0) return ''
  const rows = facts.map(([label, value = '']) => `<li><b>${label}</b> ${escapeHtml(value)}</li>`)
  return `<ul>${rows.join('')}</ul>`
}
