import {
  calendarOptions,
  maxAlarmMinutes,
  maxAlarms,
  noCalendarOptions,
  type CalendarOptions,
} from '../calendar/calendar-options.ts'
import type { EntryLabel } from '../calendar/calendar-part.ts'
import type { CalendarSection } from '../calendar/shown-groups.ts'
import { personalSections } from '../calendar/personal-sections.ts'
import { noneChosen, type FeedOptionSet } from '../options/option.ts'
import { flag, oneOf } from '../options/value-types.ts'
import {
  noSourcesText,
  type AboutCombinedFeed,
  type CombinedFeed,
  type CombinedSource,
} from './combined-feed.ts'
import { publicFeedUrl, type Feed } from './feed.ts'
import { nameOf } from './site.ts'
import { sourceAlarms, type SourceAlarms } from './source-alarms.ts'
import { showOption, sourcesFrom, type SourceChoice } from './source-list.ts'

/** Options in a combined calendar's URL. */
export type CombinedCalendarOptions = Omit<CalendarOptions, 'parts' | 'alarmMinutes'> & {
  /** Undefined means all feeds. */
  readonly show: readonly SourceChoice[] | undefined
  readonly alarms: SourceAlarms
  readonly mergesDuplicates: boolean
  readonly prefix: '1' | 'emoji' | undefined
}

/** Creates a calendar that combines calendar feeds. */
export function combinedCalendar(
  {
    summaryWithRepeats,
    ...about
  }: AboutCombinedFeed & {
    /** Summary if entries in several feeds appear several times. */
    readonly summaryWithRepeats: string
  },
  feeds: readonly Feed[],
): CombinedFeed {
  const calendars = feeds.filter(({ formats }) => formats.includes('ics'))
  const options = optionsFor(calendars, calendars)
  const summaryOf = ({ mergesDuplicates }: CombinedCalendarOptions) =>
    mergesDuplicates ? about.summary : summaryWithRepeats

  const feed: CombinedFeed = {
    ...about,
    formats: ['ics'],
    options: (_format, offered) => (offered ? optionsFor(calendars, offered) : options),
    summaryWith: ({ values }) => summaryOf({ ...noneChosen(options).values, ...values }),
    sourcesFrom: (readable, _format, { values: { show } }) =>
      sourcesFrom({ all: calendars, readable }, show as CombinedCalendarOptions['show']),
    render(
      sources,
      { profile, now, personal, duplicates = [], chosen: { values, query } },
      { site, calendars: renderer },
    ) {
      const given = { ...noneChosen(options).values, ...values } as CombinedCalendarOptions
      const titles = sources.map((source) => source.feed.title)
      const isChosen = given.show && titles.length > 0
      const name = `${nameOf(site)}: ${isChosen ? titles.join(', ') : about.title}`
      const isPublic = profile === 'public' && about.isForEveryone
      const sections = [
        ...sources.flatMap((source) => sectionFrom(source, given) ?? []),
        ...(personal
          ? personalSections(personal, { ...given, alarmMinutes: given.alarms.forAll })
          : []),
      ]
      const rendered = renderer.renderCombined(sections, {
        name,
        description: sources.length === 0 ? noSourcesText : summaryOf(given),
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

function sectionFrom(
  { feed, source }: CombinedSource,
  options: CombinedCalendarOptions,
): CalendarSection | undefined {
  const { show, alarms, pastDays, futureDays, cancelled, changes, busy } = options
  const part = feed.calendarPart?.(source)
  if (!part) return undefined
  return {
    part,
    label: labelFor(feed, options),
    options: {
      ...noCalendarOptions,
      pastDays,
      futureDays,
      cancelled,
      changes,
      busy,
      parts: show?.find(({ feedId }) => feedId === feed.id)?.parts ?? [],
      alarmMinutes: alarms.byFeed[feed.id] ?? alarms.forAll,
    },
  }
}

/** Returns the label of a feed's entries. A color for the whole calendar replaces those of its feeds. */
function labelFor({ title, marker }: Feed, { prefix, color }: CombinedCalendarOptions): EntryLabel {
  const word = prefix === 'emoji' ? marker?.emoji : marker?.prefix
  return {
    category: title,
    prefix: prefix === undefined ? undefined : (word ?? `${title}:`),
    color: color === undefined ? marker?.color : undefined,
  }
}

function optionsFor(
  feeds: readonly Feed[],
  offered: readonly Feed[],
): FeedOptionSet<CombinedCalendarOptions> {
  const { alarmMinutes, ...common } = calendarOptions
  return {
    show: showOption({ feeds, offered }, 'ics', {
      example: 'show=events,calendar:3.4',
      meaning:
        'only these feeds; the numbers after a feed are values of its option for [calendars and rental types](#options); the default is every calendar that the address can read',
    }),
    alarms: {
      ...alarmMinutes,
      type: sourceAlarms({ feeds, offered }, { maxMinutes: maxAlarmMinutes, maxCount: maxAlarms }),
      defaultValue: { forAll: [], byFeed: {} },
      example: 'alarm=60,calendar:30.1440',
      meaning:
        'adds reminders this many minutes before each entry starts; numbers after a feed replace the others for its entries, and `rental:none` removes them',
    },
    mergesDuplicates: {
      name: 'dedupe',
      type: flag,
      defaultValue: true,
      selectsRecords: false,
      fields: [
        {
          label: 'Entries in several feeds',
          choices: [
            ['', 'appear once'],
            ['0', 'appear once per feed'],
          ],
        },
      ],
      example: 'dedupe=0',
      meaning: 'with `0`, an entry that is in several feeds appears once for each of them',
    },
    prefix: {
      name: 'prefix',
      type: oneOf(['1', 'emoji']),
      defaultValue: undefined,
      selectsRecords: false,
      fields: [
        {
          label: 'Titles',
          choices: [
            ['', 'unchanged'],
            ['1', 'start with a word for the feed'],
            ['emoji', 'start with an emoji for the feed'],
          ],
        },
      ],
      example: 'prefix=1',
      meaning:
        'with `1`, each title starts with a word for its feed, like "Rental:", unless it already does; with `emoji`, with an emoji',
    },
    ...common,
  }
}
