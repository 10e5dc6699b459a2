/*
 * Measures what it costs when a calendar app asks whether its account has changed, which is what
 * accounts are mostly asked, and compares that with a `304` for a feed.
 *
 *   npm run bench -- accounts [--requests 300]
 *
 * Sends the requests one after the other to the demo. Linux only.
 */
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { startProcess } from './running/child-process.ts'
import { machineText, thisMachine } from './running/machine.ts'
import { childrenOf, cpuUs, requireLinux } from './running/process-figures.ts'
import { command } from './running/service.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'
import { printFigure, printTarget } from './steady/figure.ts'

const warmUps = 200

/** The worker should answer within this CPU time. */
const target = { max: 1, unit: 'ms' }

const { values } = parseArgs({ options: { requests: { type: 'string', default: '300' } } })
const count = Math.max(1, Number.parseInt(values.requests, 10) || 1)

const agent = new Agent({ connections: 1 })
const syncSince = (token: string) =>
  `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`

const ctag = `<D:propfind xmlns:D="DAV:" xmlns:CS="http://calendarserver.org/ns/"><D:prop><CS:getctag/></D:prop></D:propfind>`

requireLinux()
process.stdout.write(`${machineText(thisMachine({}))}\n\n`)
const cwd = temporaryDirectory()
const env = { PORT: '0', DAV: 'yes', LOG_LEVEL: 'warn', DATA_DIR: 'data' }
await using service = startProcess(
  process.execPath,
  ['--max-semi-space-size=8', command, 'serve'],
  { cwd, env },
)
await service.waitForOutput(/Stop/)
const worker = childrenOf(service.pid)[0] ?? 0
// An account answers a limited number of requests at once.
const [syncing, tagging] = [await addAccount(), await addAccount()]
const { tag } = await send('GET', `${syncing.base}/events.ics`)

// The service is still compressing feeds at first, so the shortest responses are measured last.
const body = syncSince(syncing.token)
const sync = await costOf(() => send('REPORT', syncing.calendar, { ...syncing, body }))
const tagsOnly = { ...tagging, headers: { Depth: '0' }, body: ctag }
const tags = await costOf(() => send('PROPFIND', tagging.calendar, tagsOnly))
const feed = await costOf(() =>
  send('GET', `${syncing.base}/events.ics`, { headers: { 'If-None-Match': tag } }),
)
printFigure('feed', textOf(feed))
for (const [name, cost] of [
  ['sync-collection without changes', sync],
  ['PROPFIND of the ctag', tags],
] as const) {
  printFigure(name, `${textOf(cost)}, ${(cost.bothMs / feed.bothMs).toFixed(0)} x the feed`)
  printTarget('  worker', cost.workerMs, target)
}
await agent.close()

type Content = {
  readonly credentials?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function addAccount() {
  const adding = [command, 'link', 'add', '--label', 'Bench', '--profile', 'full']
  await using added = startProcess(process.execPath, adding, { cwd, env })
  const [, origin = '', key = ''] = await added.waitForOutput(/(http:\S+)\/l\/(\w+)\/\s/)
  const base = `${origin}/l/${key}`
  const account = await send('GET', `${base}/account`)
  const [, user = ''] = /value="(\w{8})"/.exec(account.text) ?? []
  const credentials = Buffer.from(`${user}:${key}`).toString('base64')
  const calendar = `${origin}/dav/${user}/calendars/events/`
  const first = await send('REPORT', calendar, { credentials, body: syncSince('') })
  const [, token = ''] = /sync-token>([^<]+)</.exec(first.text) ?? []
  if (token === '') throw new Error(`no account: ${first.status} ${first.text}`)
  return { base, calendar, credentials, token }
}

async function send(method: string, url: string, content: Content = {}) {
  const { credentials = '', headers = {}, body } = content
  const response = await request(url, {
    dispatcher: agent,
    // The type lists only the methods of HTTP itself.
    method: method as 'GET',
    headers: {
      Authorization: `Basic ${credentials}`,
      'Content-Type': 'application/xml',
      ...headers,
    },
    body: body ?? null,
  })
  const { etag = '' } = response.headers
  return { status: response.statusCode, tag: String(etag), text: await response.body.text() }
}

/** Returns the CPU time per request: of the worker, and of both processes together. */
async function costOf(poll: () => Promise<{ readonly status: number }>) {
  for (let sent = 0; sent < warmUps; sent += 1) await poll()
  const before = [cpuUs(worker), cpuUs(service.pid)]
  const statuses = new Set<number>()
  for (let sent = 0; sent < count; sent += 1) statuses.add((await poll()).status)
  const [workerMs = NaN, bothMs = NaN] = [cpuUs(worker), cpuUs(service.pid)].map(
    (after, index) => (after - (before[index] ?? NaN)) / 1000 / count,
  )
  return { workerMs, bothMs, statuses }
}

function textOf({ workerMs, bothMs, statuses }: Awaited<ReturnType<typeof costOf>>): string {
  const ofBoth = `${bothMs.toFixed(2)} ms of CPU time`
  return `${[...statuses].join()}: ${ofBoth}, of which worker ${workerMs.toFixed(2)}`
}
