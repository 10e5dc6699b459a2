import type { OptionValues } from '../options/option.ts'
import { itemOptions } from '../syndication/item-options.ts'
import { combinedCalendarOptions, renderCombinedCalendar } from './combined-calendar.ts'
import type { AboutCombinedFeed } from './combined-feed.ts'
import { renderCombinedNews } from './combined-news.ts'
import type { Feed, ServedFeed } from './feed.ts'
import { feedFormats, isCalendarFormat, type FeedFormat } from './formats.ts'
import { feedMessages } from './messages.ts'
import { showOption, type SourceChoice } from './source-list.ts'

/** Combines all calendars, or all news feeds with the latest item first, depending on the format. */
export function combinedFeed(about: AboutCombinedFeed, feeds: readonly Feed[]): ServedFeed {
  const feedsIn = (format: FeedFormat) => feeds.filter(({ formats }) => formats.includes(format))
  const textIn = (language: string) => feedMessages(language).combined[about.id]
  const summaryWith = ({ values }: { readonly values: OptionValues }, language: string) => {
    const { calendar, news } = textIn(language)
    const hasDuplicates = values['mergesDuplicates'] === false
    return `${hasDuplicates ? calendar.summaryWithDuplicates : calendar.summary} ${news.summary}`
  }
  return {
    ...about,
    textIn: (language) => ({
      title: textIn(language).title,
      summary: summaryWith({ values: {} }, language),
    }),
    summaryWith,
    formats: feedFormats,
    options(format, offered = feedsIn(format)) {
      const show = showOption(feedsIn(format), offered, format, about)
      return isCalendarFormat(format)
        ? { show, ...combinedCalendarOptions(feedsIn(format), offered) }
        : { show, ...itemOptions }
    },
    sourcesFrom(readable, format, { values }) {
      const entries = values['entries'] as readonly SourceChoice[] | undefined
      const show = entries ?? (values['show'] as readonly SourceChoice[] | undefined)
      const named = feedsIn(format).filter((feed) =>
        show ? show.some(({ feedId }) => feedId === feed.id) : readable.includes(feed),
      )
      // If some single entries are no longer public, the others stay up to date.
      const open = entries ? named.filter((feed) => readable.includes(feed)) : []
      return open.length > 0 ? open : named
    },
    render: (sources, request, renderers) =>
      isCalendarFormat(request.format)
        ? renderCombinedCalendar(about, sources, request, renderers)
        : renderCombinedNews(about, sources, request, renderers),
  }
}
