import type { RequestListener, ServerResponse } from 'node:http'

/** Lets `check` distinguish Feedhouse's own 5xx responses from a proxy's. */
export const ownErrorHeaders = { 'Answered-By': 'Feedhouse' }

/** Maximum wait for feed readers. Some permanently stop reading a feed after any error. */
export const readerWaitMs = 30_000

/** Returns true for the path of a format for feed readers. */
export function isForReaders(path: string): boolean {
  return /\.(?:rss|atom|json)(?:\?|$)/.test(path)
}

/** Returns the maximum wait for a response, which is longer for the formats of feed readers. */
export function waitMsFor(path: string, defaultMs: number): number {
  return isForReaders(path) ? Math.max(readerWaitMs, defaultMs) : defaultMs
}

export const respondStarting = unavailable(1, 'Feedhouse is starting. Please try again shortly.')

/** Response from a site that has not started, because it is slow or needs the operator's attention. */
export const respondUnavailable = unavailable(
  60,
  'This site is currently unavailable. Please try again later.',
)

/** The site starts again a few seconds later. */
export const respondRestoring = unavailable(
  5,
  'A backup of this site is being restored. Please try again shortly.',
)

export function unavailable(retryAfterSeconds: number, text: string): RequestListener {
  const headers = { ...ownErrorHeaders, 'Retry-After': String(retryAfterSeconds) }
  return (_request, response) => sendText(response, 503, text, headers)
}

/** Sends a sentence that must not be cached. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  response.writeHead(status, { ...headers, ...type }).end(`${text}\n`)
}
