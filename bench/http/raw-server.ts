/*
 * Minimal Node server that sends prebuilt bytes and headers, copied from the service. Takes one
 * argument: the directory that contains `responses.json`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type StoredResponse = {
  readonly coding: string
  readonly etag: string
  /** Header names and values, alternating. */
  readonly foundHeaders: readonly string[]
  readonly notModifiedHeaders: readonly string[]
  readonly bodyBase64: string
}

/** Matches the service's timeout, so that both send the same `Keep-Alive` header. */
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
