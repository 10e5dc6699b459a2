import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ContentCoding, EncodedBody, Encodings } from '../../representations/content-coding.ts'
import { acceptedCodings } from './accept-encoding.ts'
import { evaluate, type Selection } from './conditional.ts'

/** Alternating header names and values, which Node sends unchanged. */
export type Head = readonly string[]

/** A response to GET and HEAD requests, as plain data. */
export type PublishedResponse = {
  /** In HTTP date format. */
  readonly lastModified: string
  /** Headers of 200 and 304 responses. */
  readonly commonHeaders: Head
  /** Additional headers of 200 responses. */
  readonly contentHeaders: Head
  /** Replaces `contentHeaders` in downloads. */
  readonly downloadHeaders: Head
  /** Headers of 412 responses. */
  readonly failedHeaders: Head
  /** True if each response contains the time at which it is sent, as `Board-Time`. */
  readonly hasTime: boolean
  readonly encodings: Encodings
}

/** A published response with the complete head of each encoding. */
export type PreparedResponse = {
  readonly hasTime: boolean
  readonly preconditionFailed: Prepared
  readonly selectionFor: (accepted: readonly ContentCoding[]) => Selection<PreparedEncoding>
}

type Prepared = { readonly head: string[]; readonly body: Pick<EncodedBody, 'bytes'> }

type PreparedEncoding = Prepared & {
  readonly etag: string
  readonly notModifiedHead: string[]
}

const failedText = Buffer.from('The feed does not match the conditions in the request.\n')

export function prepareResponse(
  published: PublishedResponse,
  { isDownload }: { readonly isDownload: boolean },
): PreparedResponse {
  const { lastModified, commonHeaders, encodings, hasTime } = published
  const contentHeaders = isDownload ? published.downloadHeaders : published.contentHeaders
  const prepared = (body: EncodedBody, coding: ContentCoding): PreparedEncoding => ({
    body,
    etag: body.etag,
    head: [
      'ETag',
      body.etag,
      ...commonHeaders,
      ...contentHeaders,
      ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
      'Content-Length',
      String(body.length),
    ],
    notModifiedHead: ['ETag', body.etag, ...commonHeaders],
  })
  const { gzip, br } = encodings
  const identity = prepared(encodings.identity, 'identity')
  const byCoding = {
    identity,
    gzip: gzip && prepared(gzip, 'gzip'),
    br: br && prepared(br, 'br'),
  }
  const selections = new WeakMap<readonly ContentCoding[], Selection<PreparedEncoding>>()
  return {
    hasTime,
    preconditionFailed: {
      head: [...published.failedHeaders, 'Content-Length', String(failedText.length)],
      body: { bytes: failedText },
    },
    selectionFor(accepted) {
      const cached = selections.get(accepted)
      if (cached) return cached
      const [best = identity, ...others] = accepted.flatMap((coding) => byCoding[coding] ?? [])
      const selection: Selection<PreparedEncoding> = { accepted: [best, ...others], lastModified }
      selections.set(accepted, selection)
      return selection
    },
  }
}

/** Responds to a GET or HEAD request at a time. Replaces headers that are already set. */
export function sendPrepared(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  prepared: PreparedResponse,
  now: number,
): void {
  const selection = prepared.selectionFor(acceptedCodings(headers['accept-encoding']))
  const outcome = evaluate(headers, selection, now)
  const { status } = outcome
  const complete = (head: string[]) =>
    prepared.hasTime ? [...head, 'Board-Time', new Date(now).toISOString()] : head
  if (status === 304) {
    response.writeHead(status, complete(outcome.encoding.notModifiedHead)).end()
    return
  }
  const { head, body } = status === 200 ? outcome.encoding : prepared.preconditionFailed
  response.writeHead(status, complete(head)).end(method === 'HEAD' ? undefined : body.bytes)
}

/**
 * Ignores an `If-Modified-Since` date from before a feed link was edited or resumed. Since then, it may
 * show something else that last changed earlier.
 */
export function ignoreDatesBefore(
  editedAt: number | undefined,
  headers: IncomingHttpHeaders,
): void {
  const since = headers['if-modified-since']
  if (editedAt === undefined || since === undefined) return
  // HTTP dates have no milliseconds.
  if (Date.parse(since) < editedAt - (editedAt % 1000)) delete headers['if-modified-since']
}
