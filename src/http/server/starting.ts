import type { RequestListener } from 'node:http'

/** Lets `check` distinguish Feedhouse's own 5xx responses from a proxy's. */
export const ownErrorHeaders = { 'Answered-By': 'Feedhouse' }

export const respondStarting = unavailable(1, 'Feedhouse is starting. Please try again shortly.')

/** Response from a site that has not started, because it is slow or needs the operator's attention. */
export const respondUnavailable = unavailable(
  60,
  'This site is currently unavailable. Please try again later.',
)

export function unavailable(retryAfterSeconds: number, text: string): RequestListener {
  return (_request, response) => {
    response.writeHead(503, {
      ...ownErrorHeaders,
      'Retry-After': String(retryAfterSeconds),
      'Cache-Control': 'no-store',
      'Content-Type': 'text/plain; charset=utf-8',
    })
    response.end(`${text}\n`)
  }
}
