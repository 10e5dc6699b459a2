import type { RecordOf } from '../records/read-records.ts'
import { oneLine } from '../records/plain-text.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import {
  itemDraft,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
} from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'
import {
  attachmentsOf,
  fileLinksOf,
  linkListHtml,
  linksOf,
  pictureHtml,
  picturesOf,
  videoAddressesOf,
  type Picture,
} from './media.ts'

/** Converts all deployed stories to items, including stories dated in the future. */
export function itemsFromNews(
  stories: readonly RecordOf['news'][],
  source: ItemSource,
): readonly ItemDraft[] {
  return stories
    .filter((story) => story.deployed)
    .map((story) =>
      itemDraft(
        {
          idPrefix: 'news',
          recordId: story.id,
          publishedAt: instantFromSiteTime(story.date, source.timeZone),
          title: () => titleOf(story.headline),
          contents: (title) => contentsOf(story, title, source.siteUrl),
        },
        source,
      ),
    )
}

function contentsOf(story: RecordOf['news'], title: string, siteUrl: string): ItemContents {
  const pictures = picturesOf(story, siteUrl)
  return {
    summary: summaryOf(story.text),
    contentHtml: htmlOf(story, pictures, siteUrl) || `<p>${escapeHtml(title)}</p>`,
    author: oneLine(story.author),
    category: oneLine(story.category),
    pictures,
    attachments: attachmentsOf(story, siteUrl),
  }
}

/** Returns the incident facts and the front picture, followed by the text and the other media. */
function htmlOf(story: RecordOf['news'], pictures: readonly Picture[], siteUrl: string): string {
  const text = cleanHtml(story.text, siteUrl)
  // Many stories also embed their pictures and videos in the text.
  const figures = pictures.map((picture) =>
    text.includes(`src="${escapeHtml(picture.url)}"`) ? '' : pictureHtml(picture),
  )
  const videos = videoAddressesOf(story).map((url) => ({ url, title: 'Watch the video' }))
  return [
    incidentFacts(story),
    ...figures.slice(0, 1),
    text,
    ...figures.slice(1),
    linkListHtml([...videos, ...fileLinksOf(story, siteUrl), ...linksOf(story, siteUrl)]),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function incidentFacts(story: RecordOf['news']): string {
  const facts = [
    ['Address', story.address],
    ['Units', story.units],
    ['Mutual aid', story.mutualAid],
  ]
    .map(([label, value = '']) => [label, oneLine(value)])
    .filter(([, value]) => value)
  if (facts.length === 0) return ''
  const rows = facts.map(([label, value = '']) => `<li><b>${label}:</b> ${escapeHtml(value)}</li>`)
  return `<ul>${rows.join('')}</ul>`
}
