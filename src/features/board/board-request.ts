import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { readOptions, type OptionSet, type ValuesOf } from '../../options/option.ts'
import { regionalTag } from '../../records/messages.ts'
import { createVariantLimit } from '../../web/client-limit.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { validOptions } from '../../web/errors.ts'
import { parametersOf } from '../../web/list-filters.ts'
import { routeOf } from '../../web/route.ts'
import { takeTurn } from '../../web/turns.ts'
import { viewerFrom } from '../../web/viewer.ts'
import { boardContent, type BoardContent, type ContentOptions } from './board-content.ts'

/**
 * Arranging and compressing a board takes 30 milliseconds, and a screen always sends the same
 * query.
 */
export const newQueries = { maxRecent: 1_000, burst: 60, oneMoreMs: 500 }

/** Drawing a picture takes up to a second of processor time. */
export const newPictures = { maxRecent: 1_000, burst: 10, oneMoreMs: 2_000 }

/** Creating the date formats for a language takes a millisecond. */
export const newLanguages = { maxRecent: 100, burst: 20, oneMoreMs: 60_000 }

const queryLimit = ({ clock }: SiteContext) => createVariantLimit(clock, newQueries)

export const pictureLimit = ({ clock }: SiteContext) => createVariantLimit(clock, newPictures)

const languageLimit = ({ clock }: SiteContext) => createVariantLimit(clock, newLanguages)

/** Throws `TooManyRequests` if a client requests too many languages that no other client uses. */
export function limitNewLanguages({ ip = '' }: Request, response: Response, lang: string): void {
  siteOf(response).kept(languageLimit)(lang, ip)
}

export type Board<Options> = BoardContent & { readonly options: Options }

type OptionsFor<Options extends OptionSet> = (
  feeds: readonly Feed[],
  site: Site,
  offered: readonly Feed[],
) => Options

/** Reads a board's options and content. Throws `BadOption` for invalid values. */
export async function readBoard<Options extends OptionSet>(
  request: Request,
  response: Response,
  query: URLSearchParams,
  optionsFor: OptionsFor<Options>,
  limit = queryLimit,
): Promise<Board<ValuesOf<Options> & ContentOptions>> {
  const { site, catalog, kept } = siteOf(response)
  const { feeds: readable } = viewerFrom(response, 'feed')
  const set = optionsFor(catalog.feeds, site, readable)
  const values = validOptions(readOptions(set, query)).values as ValuesOf<Options> & ContentOptions
  const options = { ...values, lang: regionalTag(values.lang, site.language) }
  // An export is its only client.
  if (query.size > 0 && !site.isStatic) kept(limit)(hashOf(query), request.ip ?? '')
  await takeTurn(request)
  const content = await boardContent(request, response, options)
  response.set('Board-Read', new Date(content.readAt).toISOString())
  response.set('Board-Interval', String(Math.ceil(content.intervalMs / 1000)))
  return { ...content, options }
}

const hashOf = (query: URLSearchParams) =>
  createHash('sha256').update(query.toString()).digest('base64url')

/** Sends a board in one format, and lets the front cache it. `own` are the options besides `show`. */
export async function sendBoardAs(
  request: Request,
  response: Response,
  body: string | Buffer,
  own: OptionSet,
  validUntil?: number,
): Promise<void> {
  const { catalog, sendPage } = siteOf(response)
  const { link } = viewerFrom(response, 'feed')
  const parameters = ['show', ...parametersOf(catalog.feeds, own)]
  const page = { route: routeOf(response), link, parameters, countsAsUse: true, validUntil }
  await sendPage(request, response, body, page)
}
