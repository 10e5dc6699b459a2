import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { BadOption } from './errors.ts'
import { languageIn } from './translation.ts'

/** Characters around an address in a sentence, a table or an email that are not part of it. */
const around = '[\\s\\u200b\\u2060\\ufeff.,;:!?*…\'"`“”„‘’«»‹›<>()\\[\\]{}]'

const maxAround = 10

const start = new RegExp(`^/${around}{1,${maxAround}}`, 'u')
const end = new RegExp(`${around}{1,${maxAround}}$`, 'u')
const endOfQuery = new RegExp(`^(?:${around}|\\+)+$`, 'u')

/** The last character of a query, or all of its last ones that are percent-encoded. */
const lastCharacters = /(?:(?<!%[\da-f]{2})(?:%[\da-f]{2}){1,10}|[^])$/iu

/** Matches a value in which the characters at the end probably belong to others. */
const quoted = /[\s<>()[\]{}"'“”]/u

/** Some signage players append `&width=1920` to an address without a query. */
const pathAndQuery = /^([^?&]*)[?&]?([^]*)$/

const escapedSeparator = /&amp;/gi

/**
 * Redirects addresses pasted with mistakes, like `/events.ics).` or `/EVENTS.ICS?alarm=30&amp;past=7`,
 * with a language's region, like `?lang=fr-CA`, and with a second query, like `/board?rows=5?width=9`.
 */
export function pastedAddresses<Site extends { readonly basePath: string }>(
  siteOf: (response: Response) => Site,
) {
  function redirect(response: Response, target: string): void {
    const { basePath } = siteOf(response)
    // The target can contain a link's key or a follower's token.
    response.set('Cache-Control', 'private, no-cache').redirect(301, `${basePath}${target}`)
  }

  const unescapeQuery: RequestHandler = (request, response, next) => {
    const query = searchOf(request)
    const unescaped = query.replace(escapedSeparator, '&')
    if (unescaped === query || !isRedirectable(request)) return next()
    redirect(response, `${request.path}${unescaped}`)
  }

  /** `isKnown` returns true for paths that exist, with or without the content that they name. */
  const correctPath =
    (isKnown: (site: Site, path: string) => boolean): RequestHandler =>
    (request, response, next) => {
      const { path } = request
      const [, pasted = '', added = ''] = pathAndQuery.exec(decoded(path) ?? path) ?? []
      const queries = added.split(/[?&]/)
      const site = siteOf(response)
      const found = pathsFor(pasted).find((each) => encodeURI(each) !== path && isKnown(site, each))
      // Tokens and names of pictures may contain capitals.
      const isCorrect = found?.toLowerCase() === path.toLowerCase() && isKnown(site, path)
      if (found === undefined || isCorrect || !isRedirectable(request)) return next()
      const isShouted = pasted === pasted.toUpperCase()
      const query = [...queries, searchOf(request).slice(1)].filter((each) => each !== '').join('&')
      const search = query === '' ? '' : `?${isShouted ? withLowerCaseNames(query) : query}`
      redirect(response, `${encodeURI(found)}${search}`)
    }

  const correctQuery: ErrorRequestHandler = (error, request, response, next) => {
    const query = searchOf(request)
    const shortened = withoutEnd(query)
    const isPasted = shortened !== query && !quoted.test(lastValueOf(shortened))
    const corrected = withoutRegion(withOneQuery(isPasted ? shortened : query))
    if (!(error instanceof BadOption) || corrected === query || !isRedirectable(request))
      return next(error)
    redirect(response, `${request.path}${corrected}`)
  }

  return { unescapeQuery, correctPath, correctQuery }
}

/** A browser would take the start of a path like `//other.example` or `/\other.example` as a host. */
const isRedirectable = ({ method, path }: Request) =>
  (method === 'GET' || method === 'HEAD') && /^\/(?![/\\])/.test(path)

function searchOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?')
  return at === -1 ? '' : originalUrl.slice(at)
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function pathsFor(pasted: string): readonly string[] {
  const path = pasted.replace(start, '/').replace(end, '')
  return [path, path.toLowerCase()]
}

/** Returns the last part of an address without the characters after it. */
export function withoutAround(address: string): string {
  return (decoded(address) ?? address).replace(end, '')
}

function withLowerCaseNames(query: string): string {
  return query.replace(/(?<=^|&)[A-Z]+(?==|&|$)/g, (name) => name.toLowerCase())
}

function withoutRegion(query: string): string {
  return query.replace(/(?<=[?&]lang=)[^&]+/g, (tag) => languageIn(tag) ?? tag)
}

/** Some signage players append a second query. */
function withOneQuery(query: string): string {
  return query.slice(0, 1) + query.slice(1).replaceAll('?', '&')
}

const lastValueOf = (query: string) => decoded(query.slice(query.lastIndexOf('=') + 1)) ?? '"'

function withoutEnd(query: string): string {
  let shortened = query
  for (let count = 0; count < maxAround; count += 1) {
    const [last = ''] = lastCharacters.exec(shortened) ?? []
    if (last === '' || !endOfQuery.test(decoded(last) ?? '')) return shortened
    shortened = shortened.slice(0, -last.length)
  }
  return shortened
}
