import { members } from '../../feeds/catalog/members.ts'
import { feedUrl, isCalendar, type Feed, type Found, type SearchContext } from '../../feeds/feed.ts'
import type { FeedFormat } from '../../feeds/formats.ts'
import { memberContacts } from '../../feeds/member-contacts.ts'
import { prepareSearch } from '../../feeds/prepare-search.ts'
import { withLanguage } from '../../feeds/site.ts'
import { isNews } from '../../feeds/week-content.ts'
import { chosenFrom, readOptions } from '../../options/option.ts'
import { isLong, lastDayOf, type TimeSpan } from '../../records/date-words.ts'
import type { SiteDate } from '../../records/site-time.ts'
import { compareText } from '../../text/text.ts'
import { markedParts, snippetOf } from '../../search/marks.ts'
import { searchOptions } from '../../search/search-options.ts'
import { foldText, isEmptySearch, rankIn, type Search } from '../../search/search.ts'
import { boardOf } from '../../signage/board-item.ts'
import type { SiteContext } from '../../web/context.ts'
import { validOptions } from '../../web/errors.ts'
import { allowForms } from '../../web/security-headers.ts'
import { ifAvailable } from '../../web/calendar-entries.ts'
import { calendarServices } from '../../web/calendar-services.ts'
import { pageMessages } from '../../web/messages.ts'
import { documentFeeds, hasArchive } from '../../web/archives.ts'
import { hasSearch, type Page, type PageRequest } from '../../web/page-handler.ts'

/** Maximum number of results of each kind. */
const maxResults = 10

type Match = { readonly feed: Feed; readonly found: Found }

/** `/search`, which searches everything that the viewer may see. */
export const searchPage: Page = {
  headers: [allowForms, (_request, response) => void response.set('X-Robots-Tag', 'noindex')],
  show: showSearch,
}

async function showSearch(page: PageRequest) {
  const { context, request, response, viewer, offered, query, now, today, render } = page
  const { site, searchLimit } = context
  if (!hasSearch(context, viewer)) return undefined
  const { search } = validOptions(readOptions(searchOptions, query)).values
  const text = query.get('q')?.trim() ?? ''
  if (isEmptySearch(search)) return render('search/search', { text, groups: undefined })
  searchLimit(request.ip ?? '')
  // Members' contact data must not be stored.
  if (viewer.hasMembers) response.set('Cache-Control', 'private, no-store')
  const searchContext = { site, profile: viewer.profile, now }
  const matches = await matchesIn(page, search, searchContext)
  const contacts = viewer.hasMembers ? await membersFound(context, search) : []
  const groups = groupsOf(offered, site.language).flatMap(({ title, feeds }) => {
    const found = feeds.flatMap((feed) => matches.get(feed) ?? [])
    if (found.length === 0) return []
    const hasEntries = feeds.some(isCalendar)
    const distinct = hasEntries ? withoutRepeated(found, feeds) : found
    const first = hasEntries ? firstEntries(distinct, today) : firstOf(distinct, byRank)
    const url = followUrl(page, feeds, hasEntries ? 'ics' : 'rss', search)
    const followed = feeds.length === 1 ? feeds[0]?.id : viewer.link ? 'my' : 'all'
    return {
      title,
      count: distinct.length,
      results: first.map((match) => resultFrom(match, search, searchContext)),
      feedUrl: hasEntries ? undefined : url,
      calendar: hasEntries ? calendarServices(url, site.name) : undefined,
      appsUrl: `feeds?feed=${followed}&${queryFor(search)}`,
      pages: pagesOf(feeds, found, search, site.language),
    }
  })
  return render('search/search', {
    text,
    groups,
    contacts: contacts.slice(0, maxResults),
    contactCount: contacts.length,
  })
}

/** Returns the matches in each feed. Leaves out feeds whose records are unavailable. */
async function matchesIn(
  { context: { collections }, offered }: PageRequest,
  search: Search,
  context: SearchContext,
): Promise<ReadonlyMap<Feed, readonly Match[]>> {
  const lists = offered.map(async (feed): Promise<[Feed, readonly Match[]]> => {
    const source = await ifAvailable(collections.read(feed.resource))
    const searchable = source ? await prepareSearch(feed, source, context) : []
    return [feed, feed.found(searchable, search, context).map((found) => ({ feed, found }))]
  })
  return new Map(await Promise.all(lists))
}

const isDocuments = ({ id }: Feed) => documentFeeds.includes(id)

/** Groups feeds by content. Each of the less common ones has its own group. */
function groupsOf(feeds: readonly Feed[], language: string) {
  const { calendar, news, documents } = pageMessages(language).navigation
  const isOther = (feed: Feed) => !isCalendar(feed) && !isNews(feed) && !isDocuments(feed)
  return [
    { title: calendar, feeds: feeds.filter(isCalendar) },
    { title: news, feeds: feeds.filter(isNews) },
    { title: documents, feeds: feeds.filter(isDocuments) },
    ...feeds.filter(isOther).map((feed) => ({ title: feed.textIn(language).title, feeds: [feed] })),
  ]
}

const publishedAtOf = ({ item }: Found) => item.draft?.publishedAt ?? 0

function byRank({ found: a }: Match, { found: b }: Match): number {
  return a.rank - b.rank || publishedAtOf(b) - publishedAtOf(a)
}

const noTime: TimeSpan = { allDay: false, start: '', end: undefined }
const timeOf = ({ found: { item } }: Match) => item.time ?? noTime
const bySoonest = (a: Match, b: Match) => compareText(timeOf(a).start, timeOf(b).start)
const byLatest = (a: Match, b: Match) => bySoonest(b, a)

/** Leaves out entries that repeat those of another feed. */
function withoutRepeated(matches: readonly Match[], feeds: readonly Feed[]): readonly Match[] {
  const ids = feeds.map(({ id }) => id)
  if (!feeds.some(({ repeats = '' }) => ids.includes(repeats))) return matches
  const listed = matches.map((match) => {
    const { start, allDay } = timeOf(match)
    return { match, kind: match.feed.id, title: match.found.item.texts[0] ?? '', start, allDay }
  })
  return boardOf(listed, feeds).map(({ match }) => match)
}

/**
 * Returns the first upcoming entries, soonest first, then long ones that are in progress, and then
 * past ones, latest first.
 */
function firstEntries(matches: readonly Match[], today: SiteDate): readonly Match[] {
  const phaseOf = (match: Match) => {
    const time = timeOf(match)
    if (time.start >= today) return 'upcoming'
    if (lastDayOf(time) < today) return 'past'
    return isLong(time) ? 'running' : 'upcoming'
  }
  const { upcoming = [], running = [], past = [] } = Object.groupBy(matches, phaseOf)
  const first = [
    ...firstOf(upcoming, bySoonest),
    ...firstOf(running, bySoonest),
    ...firstOf(past, byLatest),
  ]
  return first.slice(0, maxResults)
}

/** Returns the first results. Sorting thousands of them would take longer than the search. */
function firstOf(
  matches: readonly Match[],
  compare: (a: Match, b: Match) => number,
): readonly Match[] {
  const first: Match[] = []
  for (const match of matches) {
    const last = first[maxResults - 1]
    if (last && compare(match, last) >= 0) continue
    const index = first.findIndex((other) => compare(match, other) < 0)
    first.splice(index < 0 ? first.length : index, 0, match)
    first.length = Math.min(first.length, maxResults)
  }
  return first
}

function resultFrom({ feed, found }: Match, search: Search, context: SearchContext) {
  const { recordId, title, time, location, category, text, source } = feed.foundText(found, context)
  return {
    path: `${feed.id}/${recordId}`,
    source,
    title: markedParts(title, search),
    time,
    details: [location, category]
      .filter((detail) => detail !== '')
      .map((detail) => markedParts(detail, search)),
    snippet: snippetOf(text, search),
  }
}

const queryFor = (search: Search) => chosenFrom(searchOptions, { search }).query

/** Returns the URL of the feed with everything that a search finds in these feeds. */
function followUrl(
  { context: { site, catalog }, viewer: { base, link }, offered }: PageRequest,
  feeds: readonly Feed[],
  format: FeedFormat,
  search: Search,
): string {
  const [first] = feeds
  const query = withLanguage(queryFor(search), site)
  if (first && feeds.length === 1) return feedUrl(base, first, format, query)
  const all = offered.filter(({ formats }) => formats.includes(format))
  // A link's selection does not limit the search.
  const isEverything = all.length === feeds.length && link?.link.choice === undefined
  const show = isEverything ? '' : `show=${feeds.map(({ id }) => id).join(',')}&`
  return feedUrl(base, link ? catalog.myFeeds : catalog.allFeeds, format, `${show}${query}`)
}

function pagesOf(
  feeds: readonly Feed[],
  found: readonly Match[],
  search: Search,
  language: string,
) {
  const { allIn, inCalendar } = pageMessages(language).search
  const query = queryFor(search)
  if (feeds.some(isCalendar)) return [{ url: `agenda?${query}`, text: inCalendar }]
  return feeds
    .filter((each) => hasArchive(each) && found.some(({ feed }) => feed === each))
    .map(({ id, textIn }) => ({ url: `${id}?${query}`, text: allIn(textIn(language).title) }))
}

/** Returns the members who match a search with the fields that their page shows, best first. */
async function membersFound({ site, collections }: SiteContext, search: Search) {
  const contacts = memberContacts(await collections.read(members.resource), site)
  return contacts
    .flatMap(({ memberId, fullName, title, phones, email }) => {
      const reachable = [...phones.map(({ number }) => number), email].filter((text) => text !== '')
      const rank = rankIn([fullName, title, reachable.join('\n')].map(foldText), search)
      if (rank === undefined) return []
      const details = [title, ...reachable].filter((text) => text !== '')
      return { memberId, rank, name: fullName, details }
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ memberId, name, details }) => ({
      path: `members#member-${memberId}`,
      title: markedParts(name, search),
      details: details.map((detail) => markedParts(detail, search)),
    }))
}
