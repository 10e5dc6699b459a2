import type { RequestListener } from 'node:http'

/** Response while the service starts. */
export const respondStarting = unavailable(1, 'Feedhouse is starting. Please try again shortly.')

/** Retry interval when starting takes longer or needs a person. */
export const respondUnavailable = unavailable(
  60,
  'This cannot be served at present. Please try again later.',
)

/** Returns a listener that responds with 503 and this text. */
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
