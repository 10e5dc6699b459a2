import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../src/log.ts'
import { callsPerHour, callsWindow, createUpstreamClient } from '../../src/app/upstream-client.ts'
import { createConnection } from '../../src/upstream/connection.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { createManager } from '../support/manager.ts'
import { startSandbox } from '../support/sandbox.ts'
import { testDirectory } from '../support/service.ts'
import { openTestStore } from '../support/store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Starts a sandbox and clients that share a store and read the refresh token from a file. */
async function clientsOf() {
  const { sandbox, clock, refreshToken } = await startSandbox()
  const manager = await createManager(sandbox)
  const refreshTokenFile = join(testDirectory(), 'token')
  writeFileSync(refreshTokenFile, refreshToken)
  const store = openTestStore(clock.now)
  const caPem = readFileSync(sandbox.caFile, 'utf8')
  const { url, siteName: name, timeZone } = sandbox
  const connection = createConnection({ siteUrl: url, caPem, now: clock.now })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const tokenRequestsAt: number[] = []

  /** Starts a client, as a replica of the service or a command would. */
  function start(options: { readonly token?: string; readonly isForPerson?: boolean } = {}) {
    const { token = refreshToken, isForPerson = false } = options
    const client = createUpstreamClient({
      site: { url, name, timeZone, caPem, links: {}, refreshToken: token, refreshTokenFile },
      connection: {
        request(call, ...rest) {
          if (call.method === 'POST') tokenRequestsAt.push(clock.now())
          return connection.request(call, ...rest)
        },
      },
      callsPerMinute: 30,
      callsPerDay: 5000,
      store,
      replica: { id: `replica ${Math.random()}`, count: () => 1 },
      clock,
      random: () => 0,
      log: createLogger('silent'),
      isForPerson,
      signal: new AbortController().signal,
    })
    const read = () => client.dataService.readPage('news', { MaxRows: '1' }, () => 'person')
    return { read, token: client.tokens.current }
  }

  return { clock, manager, refreshTokenFile, tokenRequestsAt, start }
}

test('rereads the token file after a rejected token, before sending the next request', async () => {
  const { clock, manager, refreshTokenFile, tokenRequestsAt, start } = await clientsOf()
  const { read } = start()
  await read()
  await clock.advance(60 * minuteMs)
  writeFileSync(refreshTokenFile, `${await manager.regenerate(1)}\n`)
  expect(await read()).toMatchObject({ items: [{}] })
  expect(tokenRequestsAt).toHaveLength(2)
})

test('ends the pause that a rejected token caused once the token is replaced', async () => {
  const { clock, manager, refreshTokenFile, tokenRequestsAt, start } = await clientsOf()
  const { read } = start()
  await read()
  await clock.advance(60 * minuteMs)
  const next = await manager.regenerate(1)
  await expect(read()).rejects.toMatchObject({ kind: 'token_invalid' })
  await clock.advance(4 * minuteMs)
  await expect(read()).rejects.toMatchObject({ kind: 'token_invalid' })
  expect(tokenRequestsAt).toHaveLength(2)
  writeFileSync(refreshTokenFile, next)
  expect(await read()).toMatchObject({ items: [{}] })
  expect(tokenRequestsAt).toHaveLength(3)
})

test('the service reuses the access token that `check` obtained instead of requesting one', async () => {
  const { clock, manager, refreshTokenFile, tokenRequestsAt, start } = await clientsOf()
  const service = start()
  await service.read()
  await clock.advance(60 * minuteMs)
  const token = await manager.regenerate(1)
  await expect(service.read()).rejects.toMatchObject({ kind: 'token_invalid' })
  await clock.advance(minuteMs)
  writeFileSync(refreshTokenFile, token)
  await start({ token, isForPerson: true }).read()
  const requests = tokenRequestsAt.length
  expect(await service.read()).toMatchObject({ items: [{}] })
  expect(tokenRequestsAt).toHaveLength(requests)
})

test('a new token does not end the pause for a blocked IP address', async () => {
  const { clock, manager, refreshTokenFile, tokenRequestsAt, start } = await clientsOf()
  const { read, token } = start({ token: 'unknown' })
  const knocking = Array.from({ length: 10 }, () =>
    manager.visit('/apps/api/refresh/', { method: 'POST' }),
  )
  await Promise.all(knocking)
  writeFileSync(refreshTokenFile, 'also-unknown')
  await expect(read()).rejects.toMatchObject({ kind: 'too_many_failures' })
  const requests = tokenRequestsAt.length
  writeFileSync(refreshTokenFile, await manager.regenerate(1))
  await clock.advance(10 * minuteMs)
  await expect(token()).rejects.toMatchObject({ kind: 'too_many_failures' })
  expect(tokenRequestsAt).toHaveLength(requests)
})

test('counts the calls of the last 24 hours, each in the hour before which it has ended', async () => {
  const { now } = createFakeClock()
  const { windows } = openTestStore(now)
  const agesMs = [0, 1, hourMs - 1, hourMs, 2 * hourMs - 1, 23 * hourMs, 24 * hourMs - 1]
  const calls = [...agesMs, 24 * hourMs].map((ageMs) => [`${ageMs}`, now() - ageMs] as const)
  await windows.add(callsWindow, new Map(calls))
  expect(await callsPerHour(windows)).toEqual([2, ...Array.from({ length: 21 }, () => 0), 2, 3])
})
