import { ownEntries, ownTitle, type PersonalSource } from '../calendar/personal-sections.ts'
import type { ValuesOf } from '../options/option.ts'
import type { Steps } from '../steps.ts'
import { timeInWords } from '../records/date-words.ts'
import { createFoldedTexts, textOfSearch, titleWithSearch, type Search } from '../search/search.ts'
import { tagUri } from '../syndication/channel.ts'
import { timedItem } from '../syndication/event-items.ts'
import { itemDraft, type ItemDraft } from '../syndication/feed-item.ts'
import { itemFilter } from '../syndication/item-search.ts'
import { paragraphsFrom } from '../text/html.ts'
import type { itemOptions } from '../syndication/item-options.ts'
import type { AboutCombinedFeed } from './combined-feed.ts'
import type { FeedRequest, SiteReader, RenderedFeed, Renderers, ShownSource } from './feed.ts'
import { feedMessages } from './messages.ts'
import { itemSource, renderItems } from './news-feed.ts'
import { partKeyOf, type SourceChoice } from './source-list.ts'

type CombinedNewsOptions = ValuesOf<typeof itemOptions> & {
  /** Undefined means all feeds. */
  readonly show: readonly SourceChoice[] | undefined
}

export function* renderCombinedNews(
  about: AboutCombinedFeed,
  sources: readonly ShownSource[],
  request: FeedRequest,
  { site }: Renderers,
): Steps<RenderedFeed> {
  const { format, profile, personal, chosen } = request
  const given = chosen.values as CombinedNewsOptions
  const drafts: ItemDraft[] = []
  for (const { feed, source } of sources) {
    const parts = given.show?.find(({ feedId }) => feedId === feed.id)?.parts ?? []
    const key = partKeyOf(feed, format)
    const values = { ...(key && { [key]: parts }), search: given.search }
    const own = feed.newsItems ? yield* feed.newsItems(source, { site, profile, values }) : []
    drafts.push(...own.map((draft) => ({ ...draft, order: draft.publishedAt })))
  }
  const copies = [...sources.map(({ source }) => source), personal?.signup, personal?.training]
  if (personal) drafts.push(...ownItems(personal, { site, profile, search: given.search }))
  const { ownOnly, noSources, [about.id]: texts } = feedMessages(site.language).combined
  const { title, summary } = texts.news
  const search = textOfSearch(given.search)
  const titles = sources.flatMap(({ feed, source }) => {
    const choice = given.show?.find(({ feedId }) => feedId === feed.id)
    return choice ? feed.titleWith(source, choice.parts, { site, profile }) : []
  })
  const channel = {
    id: tagUri(
      site.idHost,
      search === '' ? about.id : `${about.id}?q=${encodeURIComponent(search)}`,
    ),
    title: titleWithSearch(titles.join(', ') || title, given),
    description: personal ? ownOnly : sources.length === 0 ? noSources : summary,
    updatedAt: Math.max(0, ...copies.map((copy) => copy?.changedAt ?? 0)),
  }
  return renderItems(drafts, channel, request, given, site)
}

/** Kinds of a member's own entries, as in the ids of their calendar entries. */
const idParts = { signup: 'signup', training: 'certification' }

/** Converts a member's own entries to items, soonest first. Items disappear when the entry ends. */
function ownItems(
  source: PersonalSource,
  request: SiteReader & { readonly search: Search },
): readonly ItemDraft[] {
  const foldedTexts = createFoldedTexts()
  return ownEntries(source, request.site.language).flatMap((entry) => {
    const { kind, recordId, time } = entry
    const copy = source[kind]
    if (!copy) return []
    const about = itemSource(kind, copy, request)
    const draft = itemDraft({ id: recordId }, about, {
      idPrefix: `member-${source.memberId}-${idParts[kind]}`,
      ...timedItem(time, request.site, () => ownTitle(entry, request.site.language)),
      contents: () => ({
        summary: () => timeInWords(time, request.site.language),
        html: [paragraphsFrom(timeInWords(time, request.site.language))],
        category: feedMessages(request.site.language).combined.ownCategory,
      }),
    })
    return itemFilter(foldedTexts, request.search, about)(draft) ? draft : []
  })
}
