import { withOwn } from '../../feeds/listed-own-entries.ts'
import { withLanguage } from '../../feeds/site.ts'
import {
  type FeedPart,
  feedUrl,
  withText,
  type Feed,
  type FeedId,
  type FeedText,
} from '../../feeds/feed.ts'
import type { FeedFormat } from '../../feeds/formats.ts'
import { ownOnly, partKeyOf, textFrom, tokenFrom, type Token } from '../../feeds/source-list.ts'
import type { LinkChoice } from '../../links/feed-link.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import { readOptions, type SelectField } from '../../options/option.ts'
import type { SearchFilter } from '../../search/search.ts'
import {
  partsWithChosen,
  type ChoiceContext,
  type ChoiceReading,
} from '../../web/calendar-chips.ts'
import { ownEntriesFor } from '../../web/calendar-entries.ts'
import { calendarServices } from '../../web/calendar-services.ts'
import { sourcesIn } from './feeds-page.ts'
import { pageMessages } from '../../web/messages.ts'
import type { FollowMessages } from '../../web/messages/follow/en.ts'
import type { PageRequest } from '../../web/page-handler.ts'
import { countMatches, searchedBy } from '../../web/search-matches.ts'
import { faultIn, fieldsFor, selectFrom, type Choice } from '../../web/feed-options-form.ts'

/* The form on a link's page that chooses what `my.ics` and `my.rss` show. */

type Group = { readonly kind: keyof LinkChoice; readonly format: FeedFormat }

const allGroups: readonly Group[] = [
  { kind: 'calendar', format: 'ics' },
  { kind: 'news', format: 'rss' },
]

export const lastDay = '9999-12-31'

/** Replaces the saved selection on a page that is shown again because the form was invalid. */
export type InvalidChoice = { readonly choice: LinkChoice; readonly faults: readonly string[] }

type FormContext = ChoiceContext & { readonly readable: readonly Feed[] }

/**
 * Returns a link's combined feeds and the form for selecting their content, or undefined if there
 * are none.
 */
export function choiceSection(page: PageRequest, invalid: InvalidChoice | undefined) {
  const { site, catalog, overviews } = page.context
  const { viewer, offered: readable } = page
  const { link, base, profile } = viewer
  if (!link) return undefined
  const { myFeeds: feed } = catalog
  const partsOf = (each: Feed) => overviews.of(each, profile)?.parts ?? []
  const choice = invalid?.choice ?? savedChoice(link)
  const shown = choiceForm({ feed, readable, language: site.language }, partsOf, choice)
  if (shown.length === 0) return undefined
  const groups = shown.map((group) => ({
    ...group,
    url: feedUrl(base, feed, group.format, withLanguage('', site)),
    matches: invalid ? [] : matchesOf(page, group, choice[group.kind]),
  }))
  const calendar = groups.find(({ kind }) => kind === 'calendar')
  return {
    groups,
    isSaved: page.query.has('saved') && !invalid,
    /** Titles of feeds that are empty because the link no longer includes any of their content. */
    emptyTitles: shown.flatMap(({ title, isWithdrawn }) => (isWithdrawn && !invalid ? title : [])),
    faults: invalid?.faults ?? [],
    services: calendar && calendarServices(calendar.url, site.name),
    /** True if the link is for a member, so that `my.ics` also contains the member's own entries. */
    isPersonal: calendar !== undefined && link.link.memberId !== undefined,
  }
}

/** Returns the numbers of entries or items that match the search in a saved selection. */
function matchesOf(page: PageRequest, { kind, format }: Group, query: string) {
  const { myFeeds: feed } = page.context.catalog
  const reading = readOptions(feed.options(format), new URLSearchParams(query))
  if (!reading.ok || !reading.chosen.hasText) return []
  const filter = { place: '', ...reading.chosen.values } as Required<SearchFilter>
  const days = { from: page.today, to: lastDay }
  const own = kind === 'calendar' ? withOwn([], ownEntriesFor(page, days), filter) : []
  const form = { queries: { [format]: query }, pageQuery: query }
  return countMatches(page, searchedBy(feed, form, page.offered), own)
}

export function savedChoice({ link }: LinkEntry): LinkChoice {
  return link.choice ?? { calendar: '', news: '' }
}

/** Returns the form, filled with options. Omits groups without feeds in the link. */
export function choiceForm(
  context: FormContext,
  partsOf: (feed: Feed) => readonly FeedPart[],
  choice: LinkChoice,
) {
  const { feed, language } = context
  const t = pageMessages(language).follow.choice
  return allGroups.flatMap(({ kind, format }) => {
    const sent = new URLSearchParams(choice[kind])
    const sources = sourcesIn(feed, context.readable, format)
    if (sources.length === 0) return []
    const tokens = listIn(sent, 'show').map(tokenFrom)
    const alarms = listIn(sent, 'alarm')
    // The fields for all feeds show only the reminders that apply to all feeds.
    const common = new URLSearchParams([...sent].filter(([name]) => name !== 'alarm'))
    for (const alarm of alarms) if (!tokenFrom(alarm).numbers) common.append('alarm', alarm)
    const options = Object.values(feed.options(format))
    const [reminder] = options.find(({ name }) => name === 'alarm')?.fields?.(language) ?? []
    const isChosen = ({ id }: Feed) =>
      tokens.length === 0 || tokens.some(({ feedId }) => feedId === id)
    return [
      {
        kind,
        format,
        title: t[kind],
        /** True if the link no longer includes any of the selected feeds. */
        isWithdrawn: !sources.some(isChosen) && sent.get('show') !== ownOnly,
        feeds: sources.map((source) => ({
          id: source.id,
          title: source.textIn(language).title,
          isChosen: isChosen(source),
          /** If none is checked, the feed shows all of them. */
          parts: partChoices(source, { format, language }, partsOf(source), tokens),
          reminder: reminder && reminderFor(withText(source, language), reminder, alarms, t),
        })),
        /** Options for all feeds. */
        ...fieldsFor(options, common, language),
      },
    ]
  })
}

export function readChoiceForm(context: FormContext, posted: URLSearchParams): ChoiceReading {
  const choice = { calendar: '', news: '' }
  const faults = allGroups.flatMap((group) => {
    const { query, fault } = groupQuery(context, group, posted)
    choice[group.kind] = query
    return fault ?? []
  })
  return faults.length === 0 ? { ok: true, choice } : { ok: false, faults, choice }
}

function groupQuery(
  context: FormContext,
  { kind, format }: Group,
  posted: URLSearchParams,
): { readonly query: string; readonly fault?: string } {
  const { feed, readable, isForMember, language } = context
  const sources = sourcesIn(feed, readable, format)
  if (sources.length === 0) return { query: '' }
  const chosen = sources.filter(({ id }) => posted.getAll(`${kind}.feed`).includes(id))
  const parts = posted.getAll(`${kind}.part`).map(tokenFrom)
  const tokens = chosen.map(({ id }) => textFrom(id, numbersOf(id, parts)))
  // All feeds, including feeds that are added to the link later.
  const isAll = chosen.length === sources.length && tokens.every((token) => !token.includes(':'))
  const sent = new URLSearchParams()
  const isOwnOnly = chosen.length === 0 && kind === 'calendar' && isForMember === true
  if (!isAll) sent.set('show', isOwnOnly ? ownOnly : tokens.join(','))
  const options = Object.values(feed.options(format))
  const names = new Set(options.map(({ name }) => name))
  for (const [field, value] of posted) {
    const name = field.startsWith(`${kind}.`) ? field.slice(kind.length + 1) : ''
    if (name !== 'show' && names.has(name) && value !== '') sent.append(name, value)
  }
  if (chosen.length === 0 && !isOwnOnly) {
    const { noneChosen, noneChosenNews } = pageMessages(language).follow.common
    return { query: sent.toString(), fault: kind === 'calendar' ? noneChosen : noneChosenNews }
  }
  const reading = readOptions(feed.options(format), sent)
  if (reading.ok) return { query: reading.chosen.query }
  return { query: sent.toString(), fault: faultIn(sent, reading.reason, options, language) }
}

function listIn(sent: URLSearchParams, name: string): readonly string[] {
  return sent.getAll(name).flatMap((list) => list.split(','))
}

function numbersOf(id: string, tokens: readonly Token[]): readonly number[] {
  return tokens
    .filter(({ feedId }) => feedId === id)
    .flatMap(({ numbers = [] }) => numbers.map(Number))
}

/** Returns the parts that have entries, and selected parts that currently have none. */
function partChoices(
  source: Feed,
  { format, language }: { readonly format: FeedFormat; readonly language: string },
  parts: readonly FeedPart[],
  tokens: readonly Token[],
): readonly Choice[] {
  const key = partKeyOf(source, format)
  const option = key === undefined ? undefined : source.options(format)[key]?.name
  const chosen = numbersOf(source.id, tokens)
  const offered = parts.filter((part) => part.option === option)
  return partsWithChosen(offered, chosen, language).map(({ id, name }) => ({
    name: 'part',
    value: textFrom(source.id, [id]),
    label: name,
    isChosen: chosen.includes(id),
  }))
}

function reminderFor(
  { id, title }: FeedId & FeedText,
  { choices }: SelectField,
  alarms: readonly string[],
  t: FollowMessages['choice'],
) {
  const own = alarms.find((alarm) => alarm.startsWith(`${id}:`))
  const others = choices.filter(([value]) => value !== '')
  const field = {
    name: 'alarm',
    label: t.reminderFor(title),
    choices: [
      ['', t.sameAsAbove],
      [`${id}:none`, t.noReminder],
      ...others.map(([value, label]) => [`${id}:${value}`, label] as const),
    ] as const,
  }
  return selectFrom(field, new URLSearchParams(own === undefined ? [] : { alarm: own }))
}
