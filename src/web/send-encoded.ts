import type { IncomingMessage, ServerResponse } from 'node:http'
import { etagFor, type Encodings } from '../representations/encodings.ts'
import { acceptedCodings } from '../front/accept-encoding.ts'
import { isRepeated } from '../front/cached-response.ts'
import { evaluate, lastModifiedAt } from '../front/conditional.ts'

export type Fields = readonly (readonly [name: string, value: string])[]

/** A response to GET and HEAD requests, in all encodings. */
type EncodedResponse = {
  /** In HTTP date format. */
  readonly lastModified: string
  /** All header fields except those of an encoding. */
  readonly fields: Fields
  readonly encodings: Encodings
}

/** Fields that a 412 response omits, because they describe the feed's content. */
const ofContent: ReadonlySet<string> = new Set(['Cache-Control', 'Link'])

const failedText = 'The feed does not match the conditions in the request.\n'

/**
 * Responds with the best encoding, or with 304 or 412 to a conditional request. Adds to the headers that have
 * been set. `changedAt` is the time at which the URL last got other content.
 */
export function sendEncoded(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { lastModified: contentModified, fields, encodings }: EncodedResponse,
  { changedAt, now }: { readonly changedAt?: number | undefined; readonly now: number },
): void {
  const lastModified = lastModifiedAt(contentModified, changedAt, now)
  const accepted = acceptedCodings(headers['accept-encoding'])
  const coding = accepted.find((each) => encodings[each]) ?? 'identity'
  const best = encodings[coding] ?? encodings.identity
  const etags = () =>
    [coding, ...accepted].map((each) => etagFor(each, { of: encodings.identity.etag }))
  const outcome = evaluate(headers, { etags, lastModified }, now)
  const set = (...added: Fields) => {
    for (const [name, value] of added) response.setHeader(name, value)
  }
  const validators: Fields = [
    ...(lastModified === '' ? [] : [['Last-Modified', lastModified] as const]),
    ['Vary', 'Accept-Encoding'],
  ]
  if (outcome.status === 200) {
    const { etag, bytes, length } = best
    set(['ETag', etag], ...validators, ...fields, ['Content-Length', String(length)])
    if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
    return void response.writeHead(200).end(method === 'HEAD' ? undefined : bytes)
  }
  for (const name of response.getHeaderNames()) {
    if (!isRepeated(name)) response.removeHeader(name)
  }
  const repeated = fields.filter(([name]) => isRepeated(name))
  if (outcome.status === 304) {
    set(['ETag', outcome.etag], ...validators, ...repeated)
    return void response.writeHead(304).end()
  }
  set(
    ...repeated.filter(([name]) => !ofContent.has(name)),
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Length', String(failedText.length)],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
  )
  response.writeHead(412).end(method === 'HEAD' ? undefined : failedText)
}
