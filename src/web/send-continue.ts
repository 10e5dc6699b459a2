import type { IncomingMessage, ServerResponse } from 'node:http'
import { isFromFront } from '../front/cache-fields.ts'
import { continueHeader, expectHeader } from '../front/protocol.ts'

/** Thrown before a body is read that is longer than it may be. */
class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  readonly status = 413
}

/**
 * If the front asks whether to read a body, responds that it may read up to `maxBytes`, and returns
 * true. The front then sends the request again, with its body. Throws if the body is too large.
 */
export function sendContinue(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): boolean {
  const length = isFromFront(request) ? request.headers[expectHeader] : undefined
  if (length === undefined) return false
  if (Number(length) > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`)
  response.setHeader(continueHeader, maxBytes).end()
  return true
}

/** Returns true for a response that only tells the front to read the body. */
export function isContinue(response: ServerResponse): boolean {
  return response.hasHeader(continueHeader)
}
