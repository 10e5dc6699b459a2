import type { FeedPart } from '../../feeds/feed-overview.ts'
import { feedUrl, type Feed, type FeedFormat } from '../../feeds/feed.ts'

/**
 * The form by which somebody chooses the options of a feed. What it sends leads to the same page,
 * which then shows the addresses with these options.
 */
export type Composer = {
  /** Choices of what the form offers; `isChosen` as it was sent. */
  readonly parts: readonly Choice[]
  /** Name of the only part that is chosen. */
  readonly partName: string | undefined
  readonly selects: readonly Select[]
  /** What is chosen, for people. */
  readonly chosen: readonly string[]
  /** What is wrong with what was sent, one plain sentence. */
  readonly fault: string | undefined
  readonly isComposed: boolean
  /** Options of the feed's address in each format. */
  readonly queries: Readonly<Partial<Record<FeedFormat, string>>>
  /** Leads to the page as it is composed: empty, or from the question mark on. */
  readonly pageQuery: string
}

export type Choice = {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly isChosen: boolean
}

export type Select = {
  readonly name: string
  readonly label: string
  readonly choices: readonly Choice[]
}

/** Some calendars take no longer ones. */
const maxAddressLength = 200
const tooLongText = `With all these the address has more than ${maxAddressLength} characters, which not every calendar takes. Choose fewer.`

type SelectOffer = {
  readonly name: string
  readonly label: string
  /** Of several values of the name, the first one or all others; undefined where there is only one. */
  readonly shows?: 'first' | 'others'
  /** The first is what a feed without options does. */
  readonly choices: readonly (readonly [value: string, label: string])[]
}

const days = (name: string, label: string, amounts: readonly (readonly [string, string])[]) => ({
  ...{ name, label },
  choices: [['', 'all there are'] as const, ...amounts],
})

const alarmChoices = [
  ['', 'none'],
  ['0', 'when it begins'],
  ['15', '15 minutes before'],
  ['60', '1 hour before'],
  ['120', '2 hours before'],
  ['1440', '1 day before'],
] as const

const calendarOffers: readonly SelectOffer[] = [
  { name: 'alarm', label: 'Reminder', shows: 'first', choices: alarmChoices },
  { name: 'alarm', label: 'Remind again', shows: 'others', choices: alarmChoices },
  days('past', 'Past entries', [
    ['0', 'none'],
    ['30', '30 days'],
    ['365', 'a year'],
  ]),
  days('future', 'Coming entries', [
    ['14', '14 days'],
    ['90', '90 days'],
    ['365', 'a year'],
  ]),
  {
    name: 'cancelled',
    label: 'Cancelled entries',
    choices: [
      ['', 'disappear'],
      ['mark', 'stay for 14 days, marked'],
    ],
  },
  {
    name: 'busy',
    label: 'Show me as',
    choices: [
      ['', 'the calendar does'],
      ['0', 'free'],
      ['1', 'busy'],
    ],
  },
  {
    name: 'color',
    label: 'Color',
    choices: [
      ['', 'as the app likes'],
      ['b22222', 'red'],
      ['d2691e', 'orange'],
      ['2e8b57', 'green'],
      ['4169e1', 'blue'],
      ['6a5acd', 'purple'],
    ],
  },
]

const newsOffers: readonly SelectOffer[] = [
  {
    name: 'content',
    label: 'Content',
    choices: [
      ['', 'in full'],
      ['summary', 'a short summary'],
    ],
  },
]

const featuredOffer: SelectOffer = {
  name: 'featured',
  label: 'Stories',
  choices: [
    ['', 'all'],
    ['1', 'only featured ones'],
  ],
}

export function optionsFormFor(
  feed: Feed,
  { base, parts }: { readonly base: string; readonly parts: readonly FeedPart[] },
  query: URLSearchParams,
): Composer {
  const isCalendar = feed.formats.includes('ics')
  const isNews = feed.formats.includes('rss')
  const offers = [
    ...(isCalendar ? calendarOffers : []),
    ...(isNews ? newsOffers : []),
    ...(isNews && parts.length > 0 ? [featuredOffer] : []),
  ]
  const partNames = new Set(parts.map(parameterOf))
  const fields = new Set([...offers.map(({ name }) => name), ...partNames])
  const sent = sentFor(feed, fields, query)
  const choices = parts.map((part) => partChoice(part, sent))
  const chosen = choices.filter(({ isChosen }) => isChosen)
  const readings = feed.formats.map((format) => ({ format, ...feed.variant(sent, format) }))
  const selects = offers.map((offer) => selectFrom(offer, sent))
  const values = new Set(parts.map(({ query: part }) => part))
  const unknown = [...sent].flatMap(([name, list]) =>
    partNames.has(name) ? list.split(',').filter((value) => !values.has(`${name}=${value}`)) : [],
  )
  const unknownFaults = unknown.map(
    (value) => `There is nothing with the number ${value} to choose.`,
  )
  const readingFaults = readings.flatMap((reading) => {
    if (!reading.ok) return [reading.reason]
    const address = feedUrl(base, feed, reading.format, reading.variant.query)
    return address.length > maxAddressLength ? [tooLongText] : []
  })
  const faults = [...readingFaults, ...unknownFaults]
  const queries = readings.flatMap((reading) =>
    reading.ok && faults.length === 0 ? [[reading.format, reading.variant.query]] : [],
  )
  const isComposed = queries.some(([, text]) => text !== '')
  return {
    parts: choices,
    partName: chosen.length === 1 ? chosen[0]?.label : undefined,
    selects,
    chosen: [...chosen.map(({ label }) => label), ...selects.flatMap(chosenIn)],
    fault: faults[0],
    isComposed,
    queries: Object.fromEntries(queries),
    pageQuery: isComposed ? `?feed=${feed.id}&${sent.toString()}` : '',
  }
}

function chosenIn({ label, choices }: Select): readonly string[] {
  return choices
    .filter(({ value, isChosen }) => isChosen && value !== '')
    .map((choice) => `${label.toLowerCase()} ${choice.label}`)
}

/** What the form of this feed has sent; a form sends what is left empty, too. */
function sentFor(feed: Feed, fields: ReadonlySet<string>, query: URLSearchParams): URLSearchParams {
  const entries = query.get('feed') === feed.id ? [...query] : []
  return new URLSearchParams(entries.filter(([name, value]) => fields.has(name) && value !== ''))
}

function parameterOf({ query }: FeedPart): string {
  return query.split('=')[0] ?? ''
}

function partChoice({ name: label, query }: FeedPart, sent: URLSearchParams): Choice {
  const [name = '', value = ''] = query.split('=')
  const values = sent.getAll(name).flatMap((list) => list.split(','))
  return { name, value, label, isChosen: values.includes(value) }
}

function selectFrom(offer: SelectOffer, sent: URLSearchParams): Select {
  const { name, label, choices } = offer
  const chosen = valueFor(offer, sent)
  const isOffered = choices.some(([value]) => value === chosen)
  const all = isOffered ? choices : [...choices, [chosen, chosen] as const]
  return {
    ...{ name, label },
    choices: all.map(([value, text]) => ({
      ...{ name, value, label: text },
      isChosen: value === chosen,
    })),
  }
}

function valueFor({ name, shows }: SelectOffer, sent: URLSearchParams): string {
  if (shows === undefined) return sent.get(name) ?? ''
  const [first = '', ...others] = sent.getAll(name).flatMap((list) => list.split(','))
  return shows === 'first' ? first : others.join(',')
}
