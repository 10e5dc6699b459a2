import { listParameters, readListOptions } from '../../feeds/feed-options.ts'
import type { FeedPart } from '../../feeds/feed-overview.ts'
import type { Feed } from '../../feeds/feed.ts'
import { readOptions } from '../../options/option.ts'
import { fieldsOf, selectFrom, type Choice, type Select } from '../pages/feed-options-form.ts'
import { maxDistance } from '../../signage/board-sizes.js'
import { boardOptions, boardOptionsFor } from './board-options.ts'

/** Form for a new board. Submitting it reloads the page with a preview and the board's URL. */
export type BoardComposer = {
  readonly feeds: readonly Choice[]
  /** Calendars, rental types and categories to select, and calendars that say who is on duty. */
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[]
  readonly selects: readonly Select[]
  /** Title of the board, if it is not the site's name. */
  readonly title: string
  /** Explains the first invalid value. */
  readonly fault: string | undefined
  /** Query string of the board, including the `?`; empty for the defaults. */
  readonly boardQuery: string
  /** Says that the screen is too small to be read from the chosen distance. */
  readonly sizeWarning: string | undefined
}

/** Field that is in every submitted form, because a form without checked boxes is otherwise empty. */
export const submittedField = 'submitted'

const noFeedText = 'Choose at least one feed.'

const maxPixels = 1920
const minPixels = 1080
const feetPerMeter = 3.281

/** Options that only players need, or whose defaults suit every board. */
const unlisted = ['past', 'limit']

/** Returns the form for a board of these feeds, filled with the options in `query`. */
export function boardComposerFor(
  feeds: readonly Feed[],
  partsOf: (feed: Feed) => readonly FeedPart[],
  { query, isPortrait }: { readonly query: URLSearchParams; readonly isPortrait: boolean },
): BoardComposer {
  const sent = sentOptions(feeds, query)
  const byDefault = boardOptionsFor(feeds).show.defaultValue
  const reading = readComposed(feeds, sent)
  const isEmpty = query.has(submittedField) && !sent.has('show')
  const fault = isEmpty ? noFeedText : reading.fault
  const boardQuery = fault === undefined ? reading.query : ''
  const shown = fault === undefined ? new URLSearchParams(boardQuery) : sent
  const chosen = (name: string, otherwise: readonly string[] = []) =>
    shown.has(name) ? shown.getAll(name).flatMap((list) => list.split(',')) : otherwise
  const choice = (name: string, value: string, label: string): Choice => ({
    name,
    value,
    label,
    isChosen: chosen(name, name === 'show' && !isEmpty ? byDefault : []).includes(value),
  })
  const parts = feeds.map((feed) => ({ feed, parts: partsOf(feed) }))
  const calendars = parts
    .flatMap((each) => each.parts)
    .filter(({ option }) => option === 'calendar')
  const groups = [
    {
      title: 'On duty, from these calendars',
      choices: calendars.map(({ id, name }) => choice('duty', String(id), name)),
    },
    ...parts.map((each) => ({
      title: `Only these of ${each.feed.title}`,
      choices: each.parts.map(({ option, id, name }) => choice(option, String(id), name)),
    })),
  ]
  return {
    feeds: feeds.map(({ id, title }) => choice('show', id, title)),
    groups: groups.filter(({ choices }) => choices.length > 0),
    selects: fieldsFor(feeds).map((field) => withCapitals(selectFrom(field, shown))),
    title: shown.get('title') ?? '',
    fault,
    boardQuery: boardQuery === '' ? '' : `?${boardQuery}`,
    sizeWarning: reading.viewing && sizeWarning(reading.viewing, isPortrait),
  }
}

/** Capitalizes the choices, which are lower case where they are parts of sentences. */
const withCapitals = ({ choices, ...select }: Select): Select => ({
  ...select,
  choices: choices.map((choice) => ({ ...choice, label: capitalized(choice.label) })),
})

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

type Viewing = { readonly distance: number; readonly inches: number }

/** Returns a warning if text would have to be larger than the screen has room for. */
function sizeWarning({ distance, inches }: Viewing, isPortrait: boolean): string | undefined {
  const [width, height] = isPortrait ? [minPixels, maxPixels] : [maxPixels, minPixels]
  const max = maxDistance({ width, height }, inches)
  if (distance <= max) return undefined
  const [meters, feet] = [max.toFixed(1), Math.floor(max * feetPerMeter)]
  return `A screen of ${inches} inches is too small to be read from ${distance} meters. Its text is as large as possible, and readable from up to ${meters} meters (${feet} feet). Choose a larger screen or a shorter distance.`
}

/** Returns the options of boards and lists in a submitted form, each in one parameter. */
function sentOptions(feeds: readonly Feed[], query: URLSearchParams): URLSearchParams {
  const own = Object.values(boardOptions).map(({ name }) => name)
  const names = new Set(['show', ...own, ...feeds.flatMap(listParameters)])
  return new URLSearchParams(
    [...names].flatMap((name): [string, string][] => {
      const values = query.getAll(name).filter((value) => value !== '')
      return values.length > 0 ? [[name, values.join(',')]] : []
    }),
  )
}

/** Returns the canonical query string of a board, or the first fault in its options. */
function readComposed(
  feeds: readonly Feed[],
  sent: URLSearchParams,
): { readonly query: string; readonly fault?: string; readonly viewing?: Viewing } {
  const options = boardOptionsFor(feeds)
  const board = readOptions(options, sent)
  if (!board.ok) return { query: '', fault: board.reason }
  const { show } = board.chosen.values
  const ownNames = Object.values(options).map(({ name }) => name)
  const queries = [board.chosen.query]
  for (const feed of feeds.filter(({ id }) => show.includes(id))) {
    const list = readListOptions(feed, sent, ownNames)
    if (!list.ok) return { query: '', fault: list.reason }
    queries.push(list.chosen.query)
  }
  const parameters = queries.flatMap((query) => query.split('&')).filter((each) => each !== '')
  return { query: [...new Set(parameters)].join('&'), viewing: board.chosen.values }
}

/** Returns the fields for a board's own options, and for the options of its feeds. */
function fieldsFor(feeds: readonly Feed[]) {
  const own = Object.values(boardOptions).flatMap(({ name, field }) =>
    field ? [{ ...field, name }] : [],
  )
  const ofFeeds = feeds.flatMap((feed) => {
    const names = listParameters(feed).filter((name) => !unlisted.includes(name))
    return fieldsOf(feed).filter(({ name }) => names.includes(name))
  })
  return [...own, ...new Map(ofFeeds.map((field) => [field.name, field])).values()]
}
