import type { IncomingMessage } from 'node:http'
import { hasPrecondition } from './conditional.ts'
import { hasBody } from './forward.ts'

/** Maximum length of an ordinary URL. The front does not cache much longer ones. */
const maxLength = 250

/** A fragment, an empty parameter, or a percent-encoded letter, digit or other unreserved character. */
const otherSpelling = /#|[?&](?:&|$)|%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i

/**
 * Returns true for a request that the front does not answer from its cache, even if it has the
 * page: with a condition or a body, or with one of the unlimited other spellings of the page's URL.
 * Apps never send such requests.
 */
export function bypassesCache(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
): boolean {
  const { method, url = '', headers } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  const isUsual = url.length <= maxLength && !otherSpelling.test(url)
  return !isUsual || hasBody(request) || hasPrecondition(headers)
}
