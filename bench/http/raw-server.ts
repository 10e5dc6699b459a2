/*
 * Minimal Node server that sends prebuilt bytes and headers, copied from the service.
 * Argument: the directory with `responses.json`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type StoredResponse = {
  readonly coding: string
  readonly etag: string
  /** Alternating names and values. */
  readonly foundHeaders: readonly string[]
  readonly notModifiedHeaders: readonly string[]
  readonly bodyBase64: string
}

/** Same value as in the service, so that the `Keep-Alive` headers are equal. */
const keepAliveTimeout = 65_000

const responses: readonly StoredResponse[] = JSON.parse(
  readFileSync(join(process.argv[2] ?? '', 'responses.json'), 'utf8'),
)
const [gzip, identity] = responses.map(({ bodyBase64, ...stored }) => ({
  ...stored,
  foundHeaders: [...stored.foundHeaders],
  notModifiedHeaders: [...stored.notModifiedHeaders],
  bytes: Buffer.from(bodyBase64, 'base64'),
}))
if (!gzip || !identity) throw new TypeError('responses.json needs two responses')

const server = createServer({ keepAliveTimeout }, ({ headers }, response) => {
  const chosen = headers['accept-encoding']?.includes('gzip') ? gzip : identity
  if (headers['if-none-match'] === chosen.etag) {
    response.writeHead(304, chosen.notModifiedHeaders).end()
  } else {
    response.writeHead(200, chosen.foundHeaders).end(chosen.bytes)
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
