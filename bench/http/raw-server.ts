/*
 * The least that Node can do: finished bytes and finished headers, those of the service.
 * Its argument is the directory with `answers.json`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type RawAnswer = {
  readonly coding: string
  readonly etag: string
  /** Names and values in turn. */
  readonly foundHeaders: readonly string[]
  readonly notModifiedHeaders: readonly string[]
  readonly bodyBase64: string
}

/** As the service's, so that `Keep-Alive` is the same. */
const keepAliveTimeout = 65_000

const answers: readonly RawAnswer[] = JSON.parse(
  readFileSync(join(process.argv[2] ?? '', 'answers.json'), 'utf8'),
)
const [gzip, identity] = answers.map(({ bodyBase64, ...answer }) => ({
  ...answer,
  foundHeaders: [...answer.foundHeaders],
  notModifiedHeaders: [...answer.notModifiedHeaders],
  bytes: Buffer.from(bodyBase64, 'base64'),
}))
if (!gzip || !identity) throw new TypeError('not two answers')

const server = createServer({ keepAliveTimeout }, ({ headers }, response) => {
  const answer = headers['accept-encoding']?.includes('gzip') ? gzip : identity
  if (headers['if-none-match'] === answer.etag) {
    response.writeHead(304, answer.notModifiedHeaders).end()
  } else {
    response.writeHead(200, answer.foundHeaders).end(answer.bytes)
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
