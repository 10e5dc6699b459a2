import { checkMessages } from '../../check/messages.ts'
import { partQuery, type FeedPart, feedUrl, type FeedFormat } from '../../feeds/feed.ts'
import { readFeedOptions } from '../../feeds/feed-options.ts'
import type { AnyFeed } from '../../feeds/combined-feed.ts'
import { unknownParameters } from '../../feeds/unknown-parameters.ts'
import type { SelectField } from '../../options/option.ts'
import { pageMessages } from './messages.ts'

export type OptionsForm = ReturnType<typeof optionsFormFor>

export type Choice = {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly isChosen: boolean
}

export type Select = ReturnType<typeof selectFrom>

/** Some calendars reject longer URLs. */
const maxAddressLength = 200

type OfferedField = SelectField & { readonly name: string }

/** Returns the form for a feed's options. Submitting it reloads the page with the URLs for them. */
export function optionsFormFor(
  feed: AnyFeed,
  {
    base,
    parts,
    language,
  }: {
    readonly base: string
    readonly parts: readonly FeedPart[]
    readonly language: string
  },
  query: URLSearchParams,
) {
  const t = pageMessages(language).follow.feeds
  const offers = fieldsOf(feed, language)
  const partNames = new Set(parts.map(({ option }) => option))
  const fields = new Set([...offers.map(({ name }) => name), ...partNames])
  const entries = query.get('feed') === feed.id ? [...query] : []
  const unused = unknownParameters(new URLSearchParams(entries), [
    { name: 'feed' },
    ...optionsOf(feed),
  ])
  const sent = new URLSearchParams(
    entries.filter(([name, value]) => fields.has(name) && value !== ''),
  )
  const choices = parts.map((part) => partChoice(part, sent))
  const chosen = choices.filter(({ isChosen }) => isChosen)
  const readings = feed.formats.map((format) => {
    return { format, ...readFeedOptions(feed, format, sent) }
  })
  const selects = offers.map((offer) => selectFrom(offer, sent))
  const known = new Set(parts.map(partQuery))
  const unknown = [...sent].flatMap(([name, list]) =>
    partNames.has(name) ? list.split(',').filter((value) => !known.has(`${name}=${value}`)) : [],
  )
  const readingFaults = readings.flatMap((reading) => {
    if (!reading.ok) return [reading.reason]
    const address = feedUrl(base, feed, reading.format, reading.chosen.query)
    return address.length > maxAddressLength ? [t.tooLong(maxAddressLength)] : []
  })
  const faults = [...readingFaults, ...unknown.map(t.unknownChoice)]
  const queries: Partial<Record<FeedFormat, string>> = {}
  for (const reading of faults.length === 0 ? readings : []) {
    if (reading.ok) queries[reading.format] = reading.chosen.query
  }
  const isComposed = Object.values(queries).some((text) => text !== '')
  return {
    parts: choices,
    /** Set if exactly one part is selected. */
    partName: chosen.length === 1 ? chosen[0]?.label : undefined,
    selects,
    chosen: [
      ...chosen.map(({ label }) => label),
      ...selects.flatMap((select) => chosenIn(select, t.chosenOption)),
    ],
    fault: faults[0],
    /** Sentences about parameters that are neither fields nor options. */
    unused: unused.map(({ name, suggestion }) =>
      checkMessages(language).noEffect(name, suggestion),
    ),
    isComposed,
    queries,
    /** Query string for the page with these options, or an empty string without options. */
    pageQuery: isComposed ? `?feed=${feed.id}&${sent.toString()}` : '',
  }
}

function optionsOf(feed: Pick<AnyFeed, 'formats' | 'options'>) {
  return feed.formats.flatMap((format) => Object.values(feed.options(format)))
}

export function fieldsOf(
  feed: Pick<AnyFeed, 'formats' | 'options'>,
  language: string,
): readonly OfferedField[] {
  const fields = [...new Set(optionsOf(feed))].flatMap(({ name, fields }) =>
    (fields?.(language) ?? []).map((field) => ({ ...field, name })),
  )
  return [...fields.filter(({ leads }) => leads), ...fields.filter(({ leads }) => !leads)]
}

function chosenIn(
  { label, choices }: Select,
  inWords: (option: string, value: string) => string,
): readonly string[] {
  return choices
    .filter(({ value, isChosen }) => isChosen && value !== '')
    .map((choice) => inWords(label, choice.label))
}

function partChoice({ name: label, option: name, id }: FeedPart, sent: URLSearchParams): Choice {
  const value = String(id)
  const values = sent.getAll(name).flatMap((list) => list.split(','))
  return { name, value, label, isChosen: values.includes(value) }
}

/** Returns a field with the value in `sent`, which is added to the choices if necessary. */
export function selectFrom(offer: OfferedField, sent: URLSearchParams) {
  const { name, label, choices } = offer
  const chosen = valueFor(offer, sent)
  const isOffered = choices.some(([value]) => value === chosen)
  const all = isOffered ? choices : [...choices, [chosen, chosen] as const]
  const choicesOf = all.map(([value, text]): Choice => {
    return { name, value, label: text, isChosen: value === chosen }
  })
  return { name, label, choices: choicesOf }
}

function valueFor({ name, shows }: OfferedField, sent: URLSearchParams): string {
  if (shows === undefined) return sent.get(name) ?? ''
  const [first = '', ...others] = sent.getAll(name).flatMap((list) => list.split(','))
  return shows === 'first' ? first : others.join(',')
}
