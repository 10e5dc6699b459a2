import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addLink } from '../../../src/links/stored-links.ts'
import { datasetFrom } from '../../../src/sandbox/resources/resources.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { readyService, runProcess } from '../../support/command-line.ts'
import { allDayRecord } from '../../support/all-day-record.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { testDirectory } from '../../support/service.ts'
import { workersOf } from '../../support/sites-process.ts'
import { waitUntil } from '../../support/wait-for.ts'

/** Memory of a container, and the heap that Node allows itself in it. */
const [containerMib, heapMib] = [512, 256]
const [linkCount, requestsOfLink] = [4, 40]
const eventCount = 2_000

/** Answers that fit into the memory for all links at least. */
const sharedAnswers = 5

/** Starts a service with many events and accounts for calendar apps. */
async function startService() {
  const today = new Date().toISOString().slice(0, 10)
  const events = Array.from({ length: eventCount }, (_, at) => ({
    ...allDayRecord(at + 1, today, today),
    title: `Event ${at} ${'with a long description '.repeat(10)}`,
  }))
  const sandbox = await createSandbox({ datasetOn: () => datasetFrom({ events }) })
  onTestFinished(() => sandbox[Symbol.asyncDispose]())
  const directory = testDirectory()
  const service = runProcess(directory, ['serve'], {
    ...settingsFor(sandbox),
    DAV: 'yes',
    PUBLIC_FEEDS: 'events',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--max-old-space-size=${heapMib}`,
  })
  const { url } = await readyService(service)
  const [file = ''] = globSync('data/*.sqlite', { cwd: directory })
  await using store = openSqliteStore(join(directory, file), Date.now)
  const accounts: { id: string; authorization: string }[] = []
  for (let at = 0; at < linkCount; at += 1) {
    const wish = { label: `Link ${at}`, feedIds: ['events'], profile: 'full' } as const
    const added = await addLink(
      store.documents,
      { ...wish, expiresAt: undefined, memberId: undefined },
      { now: Date.now(), random: randomBytes },
    )
    if (!added.ok) throw new Error(added.reason)
    const { link, key } = added
    const authorization = `Basic ${Buffer.from(`${link.id}:${key}`).toString('base64')}`
    accounts.push({ id: link.id, authorization })
  }
  return { service, url, accounts }
}

/** A request with as many unknown properties as are allowed for all entries. */
const names = `<x xmlns="urn:${'&amp;'.repeat(180)}"/>`
const body = `<D:sync-collection xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:sync-token/><D:prop><C:calendar-data/><D:supported-report-set/><D:owner/>${names}</D:prop></D:sync-collection>`

const peakMib = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test('serves others in a small container while apps request more than fits into memory', async () => {
  const { service, url, accounts } = await startService()
  const [worker = 0] = workersOf(service)
  const statuses: number[] = []
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))

  /** Sends a request as a client that reads no more than the start of the response. */
  function askSlowly({ id, authorization }: (typeof accounts)[number], client: number): void {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.push(socket)
    const headers = [
      `REPORT /dav/${id}/calendars/events/ HTTP/1.1`,
      'Host: feeds.example',
      `X-Forwarded-For: 192.0.2.${client}`,
      `Authorization: ${authorization}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`)
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      statuses.push(Number(bytes.toString('latin1', 9, 12)))
    })
    socket.on('error', () => undefined)
  }

  // The first pages after a start wait for the website.
  const page = async (id: number) => (await fetch(`${url}/events/${id}`)).status
  await waitUntil(async () => (await page(eventCount)) === 200)
  for (const [client, account] of accounts.entries()) {
    for (let at = 0; at < requestsOfLink; at += 1) askSlowly(account, client + 1)
  }
  // Pages that were not requested before, while the apps get their answers, and keep them.
  const answered = () => statuses.filter((status) => status === 207).length
  const answersBeforePage: number[] = []
  const isAttacked = () => answered() < sharedAnswers || !statuses.includes(503)
  for (let pageId = 1; isAttacked() && pageId < eventCount; pageId += 1) {
    const before = answered()
    expect(await page(pageId)).toBe(200)
    answersBeforePage.push(answered() - before)
  }
  // Pages are rendered while an answer is, however long it takes.
  expect(isAttacked()).toBe(false)
  expect(answersBeforePage.length).toBeGreaterThan(2 * sharedAnswers)
  const noneBefore = answersBeforePage.filter((count) => count === 0)
  expect(noneBefore.length).toBeGreaterThan(answersBeforePage.length / 2)
  expect(workersOf(service)).toEqual([worker])
  const peaks = { front: peakMib(service.pid ?? 0), worker: peakMib(worker) }
  expect(peaks.front + peaks.worker).toBeLessThan(containerMib)
})
