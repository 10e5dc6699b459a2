import { checkMessages } from '../check/messages.ts'
import { partQuery, type FeedPart, feedUrl, type Feed, type ServedFeed } from '../feeds/feed.ts'
import type { FeedFormat } from '../feeds/formats.ts'
import { unknownParameters } from '../feeds/unknown-parameters.ts'
import {
  readOptions,
  type FeedOption,
  type SelectField,
  type TextField,
} from '../options/option.ts'
import { pageMessages } from './messages.ts'

export type OptionsForm = {
  readonly parts: readonly Choice[]
  /** Set if exactly one part is selected. */
  readonly partName: string | undefined
  readonly selects: readonly Select[]
  readonly textFields: readonly FilledTextField[]
  readonly hidden: readonly { readonly name: string; readonly value: string }[]
  readonly chosen: readonly string[]
  readonly fault: string | undefined
  /** Sentences about parameters that are neither fields nor options. */
  readonly unused: readonly string[]
  readonly isComposed: boolean
  readonly queries: Partial<Record<FeedFormat, string>>
  /** Query string for the page with these options, or an empty string without options. */
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

type FilledTextField = TextField & { readonly name: string; readonly value: string }

/** Some calendars reject longer URLs. */
const maxAddressLength = 200

type OfferedField = SelectField & { readonly name: string }

/** Option that selects feeds. It has no field here, but other pages link to the form with it. */
const showName = 'show'

/** Returns the form for a feed's options. Submitting it reloads the page with the URLs for them. */
export function optionsFormFor(
  feed: ServedFeed,
  {
    base,
    parts,
    language,
    readable = [],
  }: {
    readonly base: string
    readonly parts: readonly FeedPart[]
    readonly language: string
    /** Feeds that the viewer may read, for a combined feed. */
    readonly readable?: readonly Feed[]
  },
  query: URLSearchParams,
): OptionsForm {
  const t = pageMessages(language).follow.feeds
  const options = feed.formats.flatMap((format) => Object.values(feed.options(format)))
  const partNames = new Set(parts.map(({ option }) => option))
  const names = options.flatMap(({ name, fields: given, textField }) =>
    given || textField || name === showName ? name : [],
  )
  const fields = new Set([...names, ...partNames])
  const entries = query.get('feed') === feed.id ? [...query] : []
  const unused = unknownParameters(new URLSearchParams(entries), [{ name: 'feed' }, ...options])
  const sent = new URLSearchParams(
    entries.filter(([name, value]) => fields.has(name) && value !== ''),
  )
  const choices = parts.map((part) => partChoice(part, sent))
  const chosen = choices.filter(({ isChosen }) => isChosen)
  const all = feed.formats.map((format) => {
    return { format, ...readOptions(feed.options(format), sent) }
  })
  // A feed that is only a calendar, or only news, can be selected in those formats only.
  const isForOthers = ({ format }: (typeof all)[number]) => {
    const { show } = feed.options(format)
    return show !== undefined && !isValid(show, sent)
  }
  const readings = all.every(isForOthers) ? all : all.filter((reading) => !isForOthers(reading))
  const { selects, textFields } = fieldsFor(options, sent, language)
  const known = new Set(parts.map(partQuery))
  const unknown = [...sent].flatMap(([name, list]) =>
    partNames.has(name) ? list.split(',').filter((value) => !known.has(`${name}=${value}`)) : [],
  )
  const readingFaults = readings.flatMap((reading) => {
    if (!reading.ok) return [faultIn(sent, reading.reason, options, language)]
    const address = feedUrl(base, feed, reading.format, reading.chosen.query)
    return address.length > maxAddressLength ? [t.tooLong(maxAddressLength)] : []
  })
  const faults = [...readingFaults, ...unknown.map(t.unknownChoice)]
  const queries: Partial<Record<FeedFormat, string>> = {}
  for (const reading of faults.length === 0 ? readings : []) {
    if (reading.ok) queries[reading.format] = reading.chosen.query
  }
  const [first] = readings
  const isSelection = first?.ok && sent.has(showName)
  const shown = isSelection ? feed.sourcesFrom(readable, first.format, first.chosen) : []
  const isComposed = Object.values(queries).some((text) => text !== '')
  return {
    parts: choices,
    partName: chosen.length === 1 ? chosen[0]?.label : undefined,
    selects,
    textFields,
    hidden: [...sent].flatMap(([name, value]) => (name === showName ? [{ name, value }] : [])),
    chosen: [
      ...shown.map(({ textIn }) => textIn(language).title),
      ...chosen.map(({ label }) => label),
      ...textFields.flatMap(({ value, inWords }) => (value === '' ? [] : inWords(value))),
      ...selects.flatMap(({ label, choices }) =>
        choices
          .filter(({ value, isChosen }) => isChosen && value !== '')
          .map((choice) => t.chosenOption(label, choice.label)),
      ),
    ],
    fault: faults[0],
    unused: unused.map(({ name, suggestion }) =>
      checkMessages(language).noEffect(name, suggestion),
    ),
    isComposed,
    queries,
    pageQuery: isComposed ? `?feed=${feed.id}&${sent.toString()}` : '',
  }
}

/** Returns the fields of options with the values in `sent`. Options with the same name share fields. */
export function fieldsFor(
  options: readonly FeedOption<unknown>[],
  sent: URLSearchParams,
  language: string,
): { readonly selects: readonly Select[]; readonly textFields: readonly FilledTextField[] } {
  const distinct = [...new Map(options.map((option) => [option.name, option])).values()]
  const offers = distinct.flatMap(({ name, fields }) =>
    (fields?.(language) ?? []).map((field) => ({ ...field, name })),
  )
  const inOrder = [...offers.filter(({ leads }) => leads), ...offers.filter(({ leads }) => !leads)]
  return {
    selects: inOrder.map((offer) => selectFrom(offer, sent)),
    textFields: distinct.flatMap(({ name, textField }) =>
      textField ? [{ ...textField(language), name, value: sent.get(name) ?? '' }] : [],
    ),
  }
}

const isValid = (option: FeedOption<unknown>, sent: URLSearchParams) =>
  readOptions({ option }, sent).ok

/** Returns the message for invalid options. The one for a text field is in the page's language. */
export function faultIn(
  sent: URLSearchParams,
  reason: string,
  options: readonly FeedOption<unknown>[],
  language: string,
): string {
  const invalid = options.find((option) => option.textField && !isValid(option, sent))
  const isRepeated = invalid !== undefined && sent.getAll(invalid.name).length > 1
  return isRepeated ? reason : (invalid?.textField?.(language).fault ?? reason)
}

function partChoice({ name: label, option: name, id }: FeedPart, sent: URLSearchParams): Choice {
  const value = String(id)
  const values = sent.getAll(name).flatMap((list) => list.split(','))
  return { name, value, label, isChosen: values.includes(value) }
}

/** Returns a field with the value in `sent`, which is added to the choices if necessary. */
export function selectFrom(offer: OfferedField, sent: URLSearchParams): Select {
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
