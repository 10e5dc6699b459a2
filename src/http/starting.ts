import type { RequestListener } from 'node:http'

/** While there is nothing to answer by. */
export const serveStarting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1', 'Cache-Control': 'no-store' })
  response.end('Feedhouse is starting. Please try again shortly.\n')
}
