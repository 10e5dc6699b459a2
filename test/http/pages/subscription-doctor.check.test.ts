import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { feeds } from '../../../src/feeds/catalog.ts'
import { createOwnAddressCheck } from '../../../src/http/pages/subscription-doctor.ts'
import { waitFor } from '../../support/wait-for.ts'

const clock = { now: () => 0 }

/** Starts a server that never responds. */
async function startSilentServer() {
  const requested: string[] = []
  const server = createServer(({ url = '' }) => void requested.push(url))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requested, stop }
}

test('rejects addresses that do not belong to the service', async () => {
  const check = createOwnAddressCheck('https://feeds.example.org/crew', clock)
  for (const base of [
    'https://elsewhere.example',
    'https://feeds.example.org/crews',
    'https://feeds.example.org.elsewhere.example/crew',
    'https://feeds.example.org',
  ]) {
    await expect(check(base, feeds, 'test')).rejects.toThrow('not an address of this service')
  }
})

test('limits the number of checks, and shares one among requests for the same address', async () => {
  const { url, requested, stop } = await startSilentServer()
  const check = createOwnAddressCheck(url, clock)
  const waiting = Array.from({ length: 12 }, (_, index) =>
    check(`${url}/l/${index}`, feeds, 'test'),
  )
  const same = check(`${url}/l/0`, feeds, 'test')
  expect(await check(`${url}/l/another`, feeds, 'test')).toBeUndefined()
  await waitFor(() => {
    expect(requested).toHaveLength(2)
  })
  stop()
  const reports = await Promise.all(waiting)
  expect(reports.map((report) => report?.ok)).toEqual(Array.from({ length: 12 }, () => false))
  expect(await same).toBe(reports[0])
  // The other feeds of an unreachable server are not tried.
  expect(reports.map((report) => report?.findings.length)).toEqual(reports.map(() => 1))
})
