import { expect, test } from 'vitest'
import { createConnection } from '../../src/upstream/connection.ts'
import { createDataService } from '../../src/upstream/data-service.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { tokensOf } from './tokens.ts'

/** Creates a client for an endpoint that rejects the first calls with the given error code. */
async function refusing(code: string, times: number) {
  const seen: (string | undefined)[] = []
  let toBreak = 0
  const breakNext = (calls: number) => void (toBreak = calls)
  const resources = new AsyncDisposableStack()
  const server = resources.use(
    await startHttpsServer((request, response) => {
      if (toBreak > 0) {
        toBreak -= 1
        return void response.destroy()
      }
      seen.push(request.headers.authorization)
      const page = { status: 200, endpoint: 'news', startRow: 1, totalCount: 0, items: [] }
      const refusal = { status: 401, error: 'Unauthorized', code, message: '' }
      const body = seen.length > times ? page : refusal
      response.writeHead(body.status).end(JSON.stringify(body))
    }),
  )
  const { url: siteUrl, caPem } = server
  const connection = resources.use(createConnection({ siteUrl, caPem, now: Date.now }))
  const { tokens, clock } = tokensOf()
  // The first token was issued some time ago.
  await tokens.current()
  await clock.advance(3_600_000)
  const { readAll } = createDataService(connection, tokens)
  const readNews = async () => (await readAll('news', {}, () => 'person')).items
  return { seen, readNews, breakNext, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test.for(['token_expired', 'token_invalid'])('requests one new token after %s', async (code) => {
  await using endpoint = await refusing(code, 1)
  expect(await endpoint.readNews()).toEqual([])
  expect(endpoint.seen).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test.for(['token_expired', 'token_invalid'])('pauses after a second %s', async (code) => {
  await using endpoint = await refusing(code, 2)
  await expect(endpoint.readNews()).rejects.toMatchObject({ kind: code })
  const paused = { kind: 'token_invalid', retryAfterMs: 300_000 }
  await expect(endpoint.readNews()).rejects.toMatchObject(paused)
  expect(endpoint.seen).toHaveLength(2)
})

test('does not request a new token after any other error', async () => {
  await using endpoint = await refusing('refresh_token_supplied', 1)
  await expect(endpoint.readNews()).rejects.toMatchObject({ kind: 'refresh_token_supplied' })
  expect(endpoint.seen).toHaveLength(1)
})

test('retries an interrupted call once', async () => {
  await using endpoint = await refusing('', 0)
  endpoint.breakNext(1)
  expect(await endpoint.readNews()).toEqual([])
  endpoint.breakNext(2)
  await expect(endpoint.readNews()).rejects.toMatchObject({ kind: 'interrupted' })
})
