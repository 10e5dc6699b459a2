import { calendarOptions, type CalendarOptions } from '../calendar/calendar-options.ts'
import type { EntryLabel } from '../calendar/calendar-section.ts'
import { personalSections } from '../calendar/personal-sections.ts'
import { noneChosen, selectField, type FeedOptionSet, type ValuesOf } from '../options/option.ts'
import { flag, oneOf } from '../options/value-types.ts'
import { titleWithSearch } from '../search/search.ts'
import type { AboutCombinedFeed, CombinedFeed } from './combined-feed.ts'
import { publicFeedUrl, type Feed } from './feed.ts'
import { feedMessages } from './messages.ts'
import { showOption, sourceAlarms, sourcesFrom } from './source-list.ts'

export function combinedCalendar(about: AboutCombinedFeed, feeds: readonly Feed[]): CombinedFeed {
  const calendars = feeds.filter(({ formats }) => formats.includes('ics'))
  const options = optionsFor(about, calendars, calendars)
  const textIn = (language: string) => feedMessages(language).combined[about.id].calendar
  const summaryOf = ({ mergesDuplicates }: CombinedCalendarOptions, language: string) => {
    const { summary, summaryWithDuplicates } = textIn(language)
    return mergesDuplicates ? summary : summaryWithDuplicates
  }
  const descriptionOf = (given: CombinedCalendarOptions, isEmpty: boolean, language: string) => {
    const { ownOnly, noSources } = feedMessages(language).combined
    if (given.show?.length === 0) return ownOnly
    return isEmpty ? noSources : summaryOf(given, language)
  }

  const feed: CombinedFeed = {
    ...about,
    textIn,
    formats: ['ics'],
    options: (_format, offered) => (offered ? optionsFor(about, calendars, offered) : options),
    summaryWith: ({ values }, language) =>
      summaryOf({ ...noneChosen(options).values, ...values }, language),
    sourcesFrom: (readable, _format, { values: { show } }) =>
      sourcesFrom({ all: calendars, readable }, show as CombinedCalendarOptions['show']),
    render(
      sources,
      { profile, now, personal, duplicates = [], chosen: { values, query } },
      { site, calendars: renderer },
    ) {
      const given = { ...noneChosen(options).values, ...values } as CombinedCalendarOptions
      const { language } = site
      const titles = sources.map((source) => source.feed.textIn(language).title)
      const isChosen = given.show && titles.length > 0
      const name = feedMessages(language).titled(
        site.name,
        titleWithSearch(isChosen ? titles.join(', ') : textIn(language).title, given),
      )
      const isPublic = profile === 'public' && about.isForEveryone
      const sections = [
        ...sources.flatMap(
          ({ feed, source }) =>
            feed.section?.(source, {
              options: optionsOf(given, feed.id),
              label: labelFor(feed, given, language),
            }) ?? [],
        ),
        ...(personal ? personalSections(personal, optionsOf(given, ''), site.language) : []),
      ]
      const rendered = renderer.render(sections, {
        name,
        description: descriptionOf(given, sources.length === 0, language),
        url: isPublic ? publicFeedUrl(site, feed, 'ics', query) : undefined,
        color: given.color,
        profile,
        now,
        idPrefix: 'combined',
        duplicates: given.mergesDuplicates ? duplicates : undefined,
      })
      return { ...rendered, title: name }
    },
  }
  return feed
}

/** Returns the options for a feed's entries. For a member's own entries, the id is empty. */
function optionsOf(
  { show, alarms, mergesDuplicates: _merges, prefix: _prefix, ...common }: CombinedCalendarOptions,
  feedId: string,
): CalendarOptions {
  return {
    ...common,
    // Belongs to the whole calendar.
    color: undefined,
    parts: show?.find((choice) => choice.feedId === feedId)?.parts ?? [],
    alarmMinutes: alarms.byFeed[feedId] ?? alarms.forAll,
  }
}

/** Returns the label of a feed's entries. A color for the whole calendar replaces those of its feeds. */
function labelFor(
  { textIn, marker }: Feed,
  { prefix, color }: CombinedCalendarOptions,
  language: string,
): EntryLabel {
  const { title, prefix: word = feedMessages(language).prefixFor(title) } = textIn(language)
  return {
    category: title,
    prefix:
      prefix === undefined ? undefined : ((prefix === 'emoji' ? marker?.emoji : undefined) ?? word),
    color: color === undefined ? marker?.color : undefined,
  }
}

export type CombinedCalendarOptions = ValuesOf<ReturnType<typeof optionsFor>>

function optionsFor(
  about: Pick<AboutCombinedFeed, 'isForEveryone'>,
  feeds: readonly Feed[],
  offered: readonly Feed[],
) {
  const { alarmMinutes, ...common } = calendarOptions
  return {
    show: showOption(feeds, offered, 'ics', about),
    alarms: {
      ...alarmMinutes,
      type: sourceAlarms(feeds, offered),
      defaultValue: { forAll: [], byFeed: {} },
    },
    mergesDuplicates: {
      name: 'dedupe',
      type: flag,
      defaultValue: true,
      fields: (language) => [selectField(feedMessages(language).options.dedupe)],
    },
    prefix: {
      name: 'prefix',
      type: oneOf(['1', 'emoji']),
      defaultValue: undefined,
      fields: (language) => [selectField(feedMessages(language).options.prefix)],
    },
    ...common,
  } as const satisfies FeedOptionSet
}
