import type { RequestListener } from 'node:http'

/** While there is nothing to answer by. */
export const respondStarting = unavailable(1, 'Feedhouse is starting. Please try again shortly.')

/** Where it takes longer, or somebody has to do something. */
export const respondUnavailable = unavailable(
  60,
  'This cannot be served at present. Please try again later.',
)

/** Answers with 503. */
export function unavailable(retryAfterSeconds: number, text: string): RequestListener {
  return (_request, response) => {
    response.writeHead(503, {
      'Retry-After': String(retryAfterSeconds),
      'Cache-Control': 'no-store',
      'Content-Type': 'text/plain; charset=utf-8',
    })
    response.end(`${text}\n`)
  }
}
