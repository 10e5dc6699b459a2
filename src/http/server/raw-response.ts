import { STATUS_CODES } from 'node:http'

/** Returns the bytes of a response to input that never became a request. */
export function rawResponse(status: number): string {
  const text = `${STATUS_CODES[status]}.\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(status === 405 ? ['Allow: GET, HEAD'] : []),
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${text.length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
