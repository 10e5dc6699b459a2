import type { NewsStory } from '../records/news-story.ts'
import { plainTextFromHtml } from '../records/plain-text.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import { cleanHtml, escapeHtml } from './html.ts'
import { tagUri } from './tag-uri.ts'

const maxItems = 50
const maxSummaryLength = 400
const untitled = 'Untitled'

/** What a news feed shows of one record. */
export type NewsItem = {
  /** A tag URI. */
  readonly id: string
  readonly recordId: number
  readonly url: string
  /** Plain text. */
  readonly title: string
  /** Plain text. */
  readonly summary: string
  /** Clean HTML with absolute addresses, never empty. */
  readonly contentHtml: string
  readonly author: string
  readonly category: string
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  readonly updatedAt: number
}

export type NewsItemOptions = {
  readonly siteUrl: string
  readonly timeZone: string
  /** Where people read a story. */
  readonly urlOf: (id: number) => string
}

/** Every deployed story as an item, also those dated in the future, newest first. */
export function itemsFromNews(
  stories: readonly NewsStory[],
  options: NewsItemOptions,
): readonly NewsItem[] {
  return stories
    .filter((story) => story.deployed)
    .map((story) => itemFrom(story, options))
    .toSorted((a, b) => b.publishedAt - a.publishedAt || b.recordId - a.recordId)
}

/** The items that are out at an instant, and when the next one will be. */
export function itemsPublishedAt(
  items: readonly NewsItem[],
  now: number,
): { readonly items: readonly NewsItem[]; readonly nextAt: number | undefined } {
  return {
    items: items.filter((item) => item.publishedAt <= now).slice(0, maxItems),
    nextAt: items.findLast((item) => item.publishedAt > now)?.publishedAt,
  }
}

function itemFrom(story: NewsStory, options: NewsItemOptions): NewsItem {
  const { siteUrl, timeZone, urlOf } = options
  const publishedAt = instantFromSiteTime(story.date, timeZone)
  const modifiedAt =
    story.modified === undefined ? publishedAt : instantFromSiteTime(story.modified, timeZone)
  const title = plainTextFromHtml(story.headline).replace(/\s+/g, ' ') || untitled
  return {
    id: tagUri(siteUrl, `news-${story.id}`),
    recordId: story.id,
    url: urlOf(story.id),
    title,
    summary: shortened(plainTextFromHtml(story.text).replace(/\s+/g, ' ')),
    contentHtml:
      `${incidentFacts(story)}${cleanHtml(story.text, siteUrl)}` || `<p>${escapeHtml(title)}</p>`,
    author: story.author,
    category: story.category,
    publishedAt,
    updatedAt: Math.max(publishedAt, modifiedAt),
  }
}

function incidentFacts(story: NewsStory): string {
  const facts = [
    ['Address', story.address],
    ['Units', story.units],
    ['Mutual aid', story.mutualAid],
  ].filter(([, value]) => value)
  if (facts.length === 0) return ''
  const rows = facts.map(([label, value = '']) => `<li><b>${label}:</b> ${escapeHtml(value)}</li>`)
  return `<ul>${rows.join('')}</ul>\n`
}

function shortened(text: string): string {
  if (text.length <= maxSummaryLength) return text
  const cut = text.slice(0, maxSummaryLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).toWellFormed()}…`
}
