import { listOptions, listParameters, readListOptions } from '../../feeds/feed-options.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { readOptions } from '../../options/option.ts'
import { maxDistance } from '../../signage/board-sizes.ts'
import {
  faultIn,
  fieldsFor,
  selectFrom,
  type Choice,
  type Select,
} from '../../web/feed-options-form.ts'
import { pageMessages } from '../../web/messages.ts'
import type { Page, PageRequest } from '../../web/page-handler.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { countMatches, placesFor } from '../../web/search-matches.ts'
import { allowOwnFrames } from '../../web/security-headers.ts'
import { boardOptions, boardOptionsFor, maxTitleLength, type BoardOption } from './board-options.ts'
import { composerMessages } from './messages.ts'

/** Field that is always submitted, because a form without checked boxes would otherwise be empty. */
const submittedField = 'submitted'

/** Options that only boards have, or for which pictures have other values. */
const boardOnly = ['accent', 'distance', 'inches', 'motion', 'qr', 'rotate', 'theme']

const maxPixels = 1920
const minPixels = 1080
const feetPerMeter = 3.281

/** Options that only players need, or whose defaults suit every board. */
const unlisted = ['past', 'limit']

/** `/board/new`, which builds a board's URL. */
export const composerPage: Page = {
  headers: [allowOwnFrames],
  hasOwnLanguage: true,
  show: showComposer,
}

async function showComposer(page: PageRequest) {
  const { response, viewer, offered, query, render } = page
  const { site } = page.context
  const { base, profile, link } = viewer
  // Static hosts ignore query strings.
  if (offered.length === 0 || site.isStatic) return undefined
  const isPortrait = query.get('screen') === 'portrait'
  const composer = boardComposerFor(page, isPortrait)
  const { fault, boardQuery, shownFeeds } = composer
  if (fault !== undefined) response.status(400)
  const address = `${base}/board${boardQuery}`
  const pictured = new URLSearchParams(boardQuery)
  for (const name of boardOnly) pictured.delete(name)
  const pictureQuery = pictured.size === 0 ? '' : `?${pictured.toString()}`
  return render('board/board-new', {
    texts: composerMessages(site.language),
    composer,
    submittedField,
    maxTitleLength,
    isPortrait,
    address,
    pictures: [
      ['epaper', `${base}/board/800x480-2.png${pictureQuery}`],
      ['frame', `${base}/board/1280x800-full.png${pictureQuery}`],
    ] as const,
    places: placesFor(page, profile),
    matches: countMatches(
      page,
      shownFeeds.map((feed) => ({ feed, query: new URLSearchParams(boardQuery) })),
    ),
    previewUrl: `../board${boardQuery === '' ? '?' : `${boardQuery}&`}preview=1`,
    qrCode: fault === undefined ? await qrCodeOf(address) : '',
    isPrivate: link !== undefined,
    warning: urlWarning(site.publicUrl, pageMessages(site.language).doctor.warnings),
  })
}

/** Returns the form for a board of the offered feeds, filled with the options in the query. */
function boardComposerFor(page: PageRequest, isPortrait: boolean) {
  const { offered: feeds, query } = page
  const { site, overviews } = page.context
  const texts = composerMessages(site.language)
  const sent = sentOptions(feeds, query)
  const byDefault = boardOptionsFor(feeds, site).show.defaultValue
  const reading = readComposed(feeds, site, sent)
  const isEmpty = query.has(submittedField) && !sent.has('show')
  const fault = isEmpty ? texts.noFeed : reading.fault
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
  const parts = feeds.map((feed) => {
    return { feed, parts: overviews.of(feed, page.viewer.profile)?.parts ?? [] }
  })
  const calendars = parts
    .flatMap((each) => each.parts)
    .filter(({ option }) => option === 'calendar')
  const groups = [
    {
      title: texts.duty,
      choices: calendars.map(({ id, name }) => choice('duty', String(id), name)),
    },
    ...parts.map((each) => ({
      title: texts.onlyTheseOf(each.feed.textIn(site.language).title),
      choices: each.parts.map(({ option, id, name }) => choice(option, String(id), name)),
    })),
  ]
  const { selects, textFields } = fieldsFor(offeredOptions(feeds), shown, site.language)
  const ownSelects = boardFieldsIn(site.language).map((field) => selectFrom(field, shown))
  return {
    feeds: feeds.map(({ id, textIn }) => choice('show', id, textIn(site.language).title)),
    groups: groups.filter(({ choices }) => choices.length > 0),
    selects: [...ownSelects, ...selects].map(withCapitals),
    textFields,
    /** Feeds that the board shows. Empty if the options are invalid. */
    shownFeeds: fault === undefined ? reading.feeds : [],
    title: shown.get('title') ?? '',
    fault,
    boardQuery: boardQuery === '' ? '' : `?${boardQuery}`,
    sizeWarning: reading.viewing && sizeWarning(reading.viewing, isPortrait, site),
  }
}

/** Capitalizes the choices, which are in lower case when used in sentences. */
const withCapitals = ({ choices, ...select }: Select): Select => ({
  ...select,
  choices: choices.map((choice) => ({ ...choice, label: capitalized(choice.label) })),
})

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

type Viewing = { readonly distance: number; readonly inches: number }

function sizeWarning(
  { distance, inches }: Viewing,
  isPortrait: boolean,
  { language }: Site,
): string | undefined {
  const [width, height] = isPortrait ? [minPixels, maxPixels] : [maxPixels, minPixels]
  const max = maxDistance({ width, height }, inches)
  if (distance <= max) return undefined
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const meters = new Intl.NumberFormat(language, digits).format(max)
  const feet = Math.floor(max * feetPerMeter)
  return composerMessages(language).tooSmall(inches, distance, { meters, feet })
}

/** Returns the board and list options in a submitted form, with one parameter for each. */
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

const invalid = (fault: string) => ({ query: '', feeds: [], fault, viewing: undefined })

/** Returns the canonical query string of a board, or the first error in its options. */
function readComposed(feeds: readonly Feed[], site: Site, sent: URLSearchParams) {
  const options = boardOptionsFor(feeds, site)
  const board = readOptions(options, sent)
  if (!board.ok) return invalid(board.reason)
  const { show } = board.chosen.values
  const ownNames = Object.values(options).map(({ name }) => name)
  const queries = [board.chosen.query]
  const shown = feeds.filter(({ id }) => show.includes(id))
  for (const feed of shown) {
    const list = readListOptions(feed, sent, ownNames)
    if (!list.ok) {
      return invalid(faultIn(sent, list.reason, offeredOptions([feed]), site.language))
    }
    queries.push(list.chosen.query)
  }
  const parameters = queries.flatMap((query) => query.split('&')).filter((each) => each !== '')
  const query = [...new Set(parameters)].join('&')
  return { query, feeds: shown, fault: undefined, viewing: board.chosen.values }
}

function offeredOptions(feeds: readonly Feed[]) {
  const options = feeds.flatMap((feed) => Object.values(listOptions(feed)))
  return options.filter(({ name }) => !unlisted.includes(name))
}

type FieldTexts = { readonly label: string; readonly choices: Readonly<Record<string, string>> }

function boardFieldsIn(language: string) {
  const { fields, inches } = composerMessages(language)
  const labels: Readonly<Record<string, (value: string) => string>> = {
    inches: (value) => inches(Number(value || boardOptions.inches.defaultValue)),
    rotate: (value) => value || String(boardOptions.rotate.defaultValue),
  }
  const texts: Readonly<Record<string, FieldTexts>> = fields
  return Object.values<BoardOption>(boardOptions).flatMap(({ name, choices = [] }) => {
    const field = texts[name]
    if (!field) return []
    const labelOf = (value: string) => field.choices[value] ?? labels[name]?.(value) ?? value
    return [
      {
        name,
        label: field.label,
        choices: choices.map((value) => [value, labelOf(value)] as const),
      },
    ]
  })
}
