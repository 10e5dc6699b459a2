import type { IncomingMessage } from 'node:http'

/** Address of the client behind so many proxies, as Express tells it (`trust proxy`). */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',')
  const addresses = forwarded.map((text) => text.trim()).filter((text) => text !== '')
  return (
    [...addresses, socket.remoteAddress ?? ''].at(-1 - Math.min(proxies, addresses.length)) ?? ''
  )
}
