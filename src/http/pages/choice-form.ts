import type { CombinedFeed } from '../../feeds/combined-feed.ts'
import type { FeedPart } from '../../feeds/feed-overview.ts'
import { readFeedOptions } from '../../feeds/feed-options.ts'
import type { Feed, FeedFormat } from '../../feeds/feed.ts'
import { partKeyOf } from '../../feeds/source-list.ts'
import type { LinkChoice } from '../../links/feed-link.ts'
import type { SelectField } from '../../options/option.ts'
import { fieldsOf, selectFrom, type Choice, type Select } from './feed-options-form.ts'

/* The form on a link's page that chooses what `my.ics` and `my.rss` show. */

type GroupKind = keyof LinkChoice

const groupKinds: readonly {
  readonly kind: GroupKind
  readonly format: FeedFormat
  readonly title: string
  readonly noneFault: string
}[] = [
  {
    kind: 'calendar',
    format: 'ics',
    title: 'My calendar',
    noneFault: 'Choose at least one calendar.',
  },
  { kind: 'news', format: 'rss', title: 'My news', noneFault: 'Choose at least one kind of news.' },
]

export type ChoiceGroup = {
  readonly kind: GroupKind
  readonly title: string
  readonly feeds: readonly ChosenFeed[]
  /** True if the link no longer includes any of the chosen feeds. */
  readonly isWithdrawn: boolean
  /** Options for all feeds. */
  readonly selects: readonly Select[]
}

/** A feed in the form. */
export type ChosenFeed = {
  readonly id: string
  readonly title: string
  readonly isChosen: boolean
  /** Checkboxes for the feed's parts. If none is checked, the feed shows all of them. */
  readonly parts: readonly Choice[]
  /** Reminder for this feed's entries; undefined for news. */
  readonly reminder: Select | undefined
}

export type ChoiceReading =
  | { readonly ok: true; readonly choice: LinkChoice }
  | { readonly ok: false; readonly faults: readonly string[]; readonly choice: LinkChoice }

type FormContext = {
  readonly feed: CombinedFeed
  readonly readable: readonly Feed[]
}

/** Returns the form, filled with options. Leaves out groups for which the link has no feeds. */
export function choiceForm(
  {
    feed,
    readable,
    partsOf,
  }: FormContext & { readonly partsOf: (feed: Feed) => readonly FeedPart[] },
  choice: LinkChoice,
): readonly ChoiceGroup[] {
  return groupKinds.flatMap(({ kind, format, title }) => {
    const sent = new URLSearchParams(choice[kind])
    const sources = sourcesIn({ feed, readable }, format)
    if (sources.length === 0) return []
    const tokens = listIn(sent, 'show')
    const alarms = listIn(sent, 'alarm')
    // The fields for all feeds show only the reminders that apply to all feeds.
    const common = new URLSearchParams([...sent].filter(([name]) => name !== 'alarm'))
    for (const alarm of alarms) if (!alarm.includes(':')) common.append('alarm', alarm)
    const fields = fieldsOf({
      formats: [format],
      options: (each: FeedFormat) => feed.options(each),
    })
    const reminder = fields.find(({ name }) => name === 'alarm')
    const isChosen = ({ id }: Feed) =>
      tokens.length === 0 || tokens.some((token) => feedIdIn(token) === id)
    return [
      {
        kind,
        title,
        isWithdrawn: !sources.some(isChosen),
        feeds: sources.map((source) => ({
          id: source.id,
          title: source.title,
          isChosen: isChosen(source),
          parts: partChoices(source, format, { parts: partsOf(source), tokens }),
          reminder: reminder && reminderFor(source, reminder, alarms),
        })),
        selects: fields.map((field) => selectFrom(field, common)),
      },
    ]
  })
}

/** Reads the submitted form. The choice in an invalid form fills the form again. */
export function readChoiceForm(context: FormContext, posted: URLSearchParams): ChoiceReading {
  const groups = groupKinds.map((group) => ({ ...group, ...groupQuery(context, group, posted) }))
  const choice = { calendar: '', news: '' }
  for (const { kind, query } of groups) choice[kind] = query
  const faults = groups.flatMap(({ fault }) => fault ?? [])
  return faults.length === 0 ? { ok: true, choice } : { ok: false, faults, choice }
}

function groupQuery(
  { feed, readable }: FormContext,
  { kind, format, noneFault }: (typeof groupKinds)[number],
  posted: URLSearchParams,
): { readonly query: string; readonly fault?: string } {
  const sources = sourcesIn({ feed, readable }, format)
  if (sources.length === 0) return { query: '' }
  const chosen = sources.filter(({ id }) => posted.getAll(`${kind}.feed`).includes(id))
  const parts = posted.getAll(`${kind}.part`)
  const tokens = chosen.map(({ id }) => {
    const numbers = parts.filter((part) => feedIdIn(part) === id).map((part) => part.split(':')[1])
    return numbers.length === 0 ? id : `${id}:${numbers.join('.')}`
  })
  // All feeds, including feeds that are added to the link later.
  const isAll = chosen.length === sources.length && tokens.every((token) => !token.includes(':'))
  const sent = new URLSearchParams()
  if (!isAll) sent.set('show', tokens.join(','))
  const names = new Set(Object.values(feed.options(format)).map(({ name }) => name))
  for (const [field, value] of posted) {
    const name = field.startsWith(`${kind}.`) ? field.slice(kind.length + 1) : ''
    if (name !== 'show' && names.has(name) && value !== '') sent.append(name, value)
  }
  if (chosen.length === 0) return { query: sent.toString(), fault: noneFault }
  const reading = readFeedOptions(feed, format, sent)
  return reading.ok
    ? { query: reading.chosen.query }
    : { query: sent.toString(), fault: reading.reason }
}

function sourcesIn({ feed, readable }: FormContext, format: FeedFormat): readonly Feed[] {
  return feed.sourcesFrom(readable, format, { values: {}, query: '' })
}

function listIn(sent: URLSearchParams, name: string): readonly string[] {
  return sent.getAll(name).flatMap((list) => list.split(','))
}

function feedIdIn(token: string): string {
  return token.split(':', 1)[0] ?? ''
}

/** Returns the parts that have entries, and chosen ones that currently have none. */
function partChoices(
  source: Feed,
  format: FeedFormat,
  { parts, tokens }: { readonly parts: readonly FeedPart[]; readonly tokens: readonly string[] },
): readonly Choice[] {
  const key = partKeyOf(source, format)
  const option = key === undefined ? undefined : source.options(format)[key]?.name
  const token = tokens.find((each) => feedIdIn(each) === source.id)
  const chosen = token?.split(':')[1]?.split('.') ?? []
  const offered = parts.filter((part) => part.option === option)
  const known = new Map(offered.map(({ id, name }) => [String(id), name]))
  for (const id of chosen) if (!known.has(id)) known.set(id, `Number ${id}, without entries now`)
  return [...known].map(([id, label]) => ({
    name: 'part',
    value: `${source.id}:${id}`,
    label,
    isChosen: chosen.includes(id),
  }))
}

function reminderFor(
  { id, title }: Feed,
  { choices }: SelectField,
  alarms: readonly string[],
): Select {
  const own = alarms.find((alarm) => feedIdIn(alarm) === id && alarm.includes(':')) ?? ''
  const field: SelectField & { readonly name: string } = {
    name: 'alarm',
    label: `Reminder for ${title}`,
    choices: [
      ['', 'same as above'],
      [`${id}:none`, 'none'],
      ...choices
        .filter(([value]) => value !== '')
        .map(([value, label]) => [`${id}:${value}`, label] as const),
    ],
  }
  return selectFrom(field, new URLSearchParams(own === '' ? [] : [['alarm', own]]))
}
