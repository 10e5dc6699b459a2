import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import {
  readMailbox,
  type MailboxPosition,
} from '../../../src/delivery/following/bounce-mailbox.ts'
import { readBounces } from '../../../src/delivery/following/read-bounces.ts'
import { imapMailbox } from '../../../src/config/notification-settings.ts'
import { createLogger } from '../../../src/log.ts'
import { advanceUntil, waitFor } from '../../support/wait-for.ts'
import { minuteMs, startService } from './follow-service.ts'

const part = (type: string) => `("message" "${type}" NIL NIL NIL "7bit" 9 1)`
const report = `(${part('delivery-status')}${part('global-headers')} "report" NIL NIL NIL)`

/**
 * Starts a mail server with one mailbox. Disconnects when the email `faulty` is opened, or already
 * when its structure is fetched.
 */
async function startMailServer({
  password = 'secret',
  structures = [] as readonly string[],
  faulty = 0,
  isFaultyInRange = false,
  contents = (_uid: number, _part: string): string => 'text',
} = {}) {
  const commands: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('* OK ready\r\n')
    socket.on('data', (data) => {
      for (const [, tag, command = ''] of data.toString().matchAll(/(\S+) (.*)\r\n/g)) {
        commands.push(command)
        const [, uid = 0, parts] = /^UID FETCH (\d+) \((.*BODY\.PEEK\[.*)\)$/.exec(command) ?? []
        if (parts !== undefined && Number(uid) === faulty) return socket.destroy()
        const [, first, last = first] = /^UID FETCH (\d+)(?::(\d+))?/.exec(command) ?? []
        const isFetched = Number(first) <= faulty && faulty <= Number(last)
        if (isFaultyInRange && isFetched) return socket.destroy()
        const lines = [
          ...(command === 'CAPABILITY' ? ['CAPABILITY IMAP4rev1'] : []),
          ...(command.startsWith('SELECT')
            ? ['OK [UIDVALIDITY 7] ok', `OK [UIDNEXT ${structures.length + 1}] ok`]
            : []),
          ...(command.includes('BODYSTRUCTURE') && parts === undefined
            ? structures
                .map((each, at) => `${at + 1} FETCH (UID ${at + 1} BODYSTRUCTURE ${each})`)
                .slice(Number(first) - 1, Number(last))
            : []),
          ...(parts === undefined ? [] : [answer(Number(uid), parts)]),
        ]
        const isRejected = command.startsWith('LOGIN') && !command.includes(password)
        const result = isRejected ? 'NO wrong' : 'OK done'
        socket.write([...lines.map((line) => `* ${line}`), `${tag} ${result}`, ''].join('\r\n'))
      }
      return undefined
    })
  })
  const answer = (uid: number, parts: string) => {
    const [, id = ''] = /BODY\.PEEK\[(\d+)\]/.exec(parts) ?? []
    const text = contents(uid, id)
    const isFirst = /<0\.\d+>/.test(parts)
    const header = 'Content-Type: text/plain\r\n\r\n'
    const body = isFirst ? `BODY[${id}]<0> {${text.length}}\r\n${text}` : `BODY[${id}] NIL`
    return `${uid} FETCH (UID ${uid} BODY[${id}.MIME] {${header.length}}\r\n${header} ${body})`
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const mailbox = imapMailbox.parse(
    `imap://bounces:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  if (!mailbox) throw new Error('the URL is invalid')
  const count = (name: string) => commands.filter((each) => each.startsWith(name)).length
  return { mailbox, commands, count }
}

const start: MailboxPosition = { uidValidity: '7', uid: 0 }

const ignored = { reached: () => undefined, skipped: () => undefined }

const { signal } = new AbortController()

test('skips only the email that breaks the connection', async () => {
  const { mailbox } = await startMailServer({ structures: Array(4).fill(report), faulty: 2 })
  const positions: number[] = []
  let handled = 0
  const to = {
    reached: ({ uid }: MailboxPosition) => void positions.push(uid),
    handle: async () => (handled += 1) > 0,
    skipped: () => undefined,
  }
  await expect(readMailbox(mailbox, start, to, signal)).rejects.toThrow(/Connection|abort/)
  expect({ last: positions.at(-1), handled }).toEqual({ last: 2, handled: 1 })
  await readMailbox(mailbox, { ...start, uid: 2 }, to, signal)
  expect({ last: positions.at(-1), handled }).toEqual({ last: 4, handled: 3 })
})

test('skips only the emails that are too large, without a failure', async () => {
  const huge = `("text" "plain" ("name" "${'a'.repeat(5_000_000)}") NIL NIL "7bit" 9 1)`
  const structures = Array.from({ length: 250 }, (_, at) =>
    [149, 249].includes(at) ? huge : report,
  )
  const { mailbox, count } = await startMailServer({ structures })
  const positions: MailboxPosition[] = []
  let [handled, skipped] = [0, 0]
  const to = {
    reached: (position: MailboxPosition) => void positions.push(position),
    handle: async () => (handled += 1) > 0,
    skipped: () => void (skipped += 1),
  }
  await readMailbox(mailbox, start, to, signal)
  expect({ handled, skipped }).toEqual({ handled: 248, skipped: 2 })
  expect(positions.at(-1)).toEqual({ ...start, uid: 250 })
  expect(count('LOGIN')).toBe(5)
})

const parts = (count: number, of = part('rfc822')) => `(${of.repeat(count)} "mixed" NIL NIL NIL)`
const address = '("" NIL "someone" "example.net")'
const textPart = '("text" "plain" NIL NIL NIL "7bit" 9 1)'

test.for([
  ['thousands of parts', parts(10_000, textPart)],
  ['thousands of nested parts', `${'('.repeat(9_000)}${textPart}${' "mixed")'.repeat(9_000)}`],
  [
    'many returned emails',
    parts(1_000, `("message" "rfc822" NIL NIL NIL "7bit" 9 NIL ${textPart} 1)`),
  ],
  ['a long name', `("text" "plain" ("name" "${'a'.repeat(200_000)}") NIL NIL "7bit" 9 1)`],
  [
    'thousands of recipients',
    `${report} ENVELOPE (NIL NIL NIL NIL NIL (${address.repeat(5_000)}) NIL NIL NIL NIL)`,
  ],
  [
    'a long list of failed recipients',
    `${report} BODY[HEADER.FIELDS (X-FAILED-RECIPIENTS)] {200000}\r\n${'a'.repeat(200_000)}`,
  ],
])('skips only an email with %s', async ([, structure = '']) => {
  const structures = Array.from({ length: 4 }, (_, at) => (at === 1 ? structure : report))
  const { mailbox } = await startMailServer({ structures })
  let [handled, skipped] = [0, 0]
  const to = {
    ...ignored,
    handle: async () => (handled += 1) > 0,
    skipped: () => void (skipped += 1),
  }
  await readMailbox(mailbox, start, to, signal)
  expect({ handled, skipped }).toEqual({ handled: 3, skipped: 1 })
})

test('lets other work run after each email', async () => {
  const structures: readonly string[] = Array(300).fill(parts(10, textPart))
  const { mailbox } = await startMailServer({ structures })
  let turns = 0
  const hook = createHook({ init: (_id, type) => type === 'Immediate' && (turns += 1) }).enable()
  onTestFinished(() => void hook.disable())
  await readMailbox(mailbox, start, { handle: async () => true, ...ignored }, signal)
  expect(turns).toBeGreaterThanOrEqual(structures.length)
})

test('fetches emails one by one if several have ended the connection', async () => {
  const structures = Array(4).fill(report)
  const { mailbox } = await startMailServer({ structures, faulty: 2, isFaultyInRange: true })
  const positions: MailboxPosition[] = []
  let handled = 0
  const to = {
    ...ignored,
    reached: (position: MailboxPosition) => void positions.push(position),
    handle: async () => (handled += 1) > 0,
  }
  const read = () => readMailbox(mailbox, positions.at(-1) ?? start, to, signal)
  await expect(read()).rejects.toThrow(/Connection|abort/)
  expect({ position: positions.at(-1), handled }).toEqual({
    position: { ...start, singlyTo: 4 },
    handled: 0,
  })
  await expect(read()).rejects.toThrow(/Connection|abort/)
  await read()
  expect({ position: positions.at(-1), handled }).toEqual({
    position: { ...start, uid: 4 },
    handled: 3,
  })
})

test('reads at most 500 emails at a time, and the others on the next connections', async () => {
  const other = '("text" "plain" NIL NIL NIL "7bit" 9 1)'
  const structures = Array.from({ length: 1_200 }, (_, at) => (at % 100 === 0 ? report : other))
  const { mailbox } = await startMailServer({ structures })
  let position = start
  const handled: number[] = []
  const to = {
    ...ignored,
    reached: (next: MailboxPosition) => void (position = next),
    handle: async () => handled.push(position.uid) > 0,
  }
  const counts: number[] = []
  for (let connections = 0; connections < 4; connections += 1) {
    await readMailbox(mailbox, position, to, signal)
    counts.push(handled.length)
  }
  expect(counts).toEqual([5, 10, 12, 12])
  expect(new Set(handled).size).toBe(12)
})

test('keeps no structures of emails in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const huge = `(${part('delivery-status').repeat(500)} "report" NIL NIL NIL)`
  const { mailbox } = await startMailServer({ structures: [...Array(99).fill(huge), report] })
  const before = usedBytes()
  let after = 0
  const handle = async () => (after = usedBytes()) > 0
  await readMailbox(mailbox, start, { handle, ...ignored }, signal)
  expect(after).toBeGreaterThan(0)
  expect(after - before).toBeLessThan(5_000_000)
})

test('does not connect after it has been stopped', async () => {
  const { mailbox, commands } = await startMailServer()
  const to = { handle: async () => true, ...ignored }
  await expect(readMailbox(mailbox, start, to, AbortSignal.abort())).rejects.toThrow(
    /Connection|abort/,
  )
  expect(commands).toEqual([])
})

function startReading(mailbox: Awaited<ReturnType<typeof startMailServer>>['mailbox']) {
  const service = startService()
  const { store, followers, clock } = service
  const stopping = new AbortController()
  const warnedAt: number[] = []
  const log = createLogger('warn', { write: () => void warnedAt.push(clock.now()) })
  let loaded = 0
  const counting = { ...followers, all: () => ((loaded += 1), followers.all()) }
  const { signal } = stopping
  const options = { mailbox, store, followers: counting, holder: 'a', clock, log, signal }
  const read = () => readBounces(options)
  const stop = async (running: Promise<void>) => {
    stopping.abort()
    await running
  }
  return { ...service, read, stop, warnedAt, loaded: () => loaded }
}

test('tries a wrong password less and less often', async () => {
  const { mailbox } = await startMailServer({ password: 'changed' })
  const { clock, read, stop, warnedAt } = startReading(mailbox)
  const running = read()
  await advanceUntil(clock, () => expect(warnedAt).toHaveLength(4), minuteMs)
  await stop(running)
  const [first = 0, second = 0, third = 0, fourth = 0] = warnedAt
  expect(second - first).toBeGreaterThanOrEqual(10 * minuteMs)
  expect(third - second).toBeGreaterThanOrEqual(20 * minuteMs)
  expect(fourth - third).toBeGreaterThanOrEqual(40 * minuteMs)
})

test('reads all followers only once for many bounces', async () => {
  const tokens: string[] = []
  const { mailbox, count } = await startMailServer({
    structures: Array(3).fill(report),
    contents: (uid, id) =>
      id === '1'
        ? `Status: 5.7.1\r\nAction: failed\r\nFinal-Recipient: rfc822; ${uid}@example.net\r\n`
        : `List-Unsubscribe: </follow/end/${tokens[uid - 1]}>\r\n`,
  })
  const { store, followers, follow, read, stop, loaded } = startReading(mailbox)
  for (const uid of [1, 2, 3]) {
    const follower = await follow(`${uid}@example.net`)
    tokens.push(follower ? followers.tokenFor('end', follower) : '')
  }
  const write = { bucket: 'bounces', id: 'state', value: JSON.stringify({ position: start }) }
  await store.documents.write([write])
  const running = read()
  await waitFor(() => expect(count('UID STORE')).toBe(3))
  await stop(running)
  const bounced = (await followers.all()).map((each) => each.bounced?.days)
  expect({ bounced, loaded: loaded() }).toEqual({ bounced: [1, 1, 1], loaded: 1 })
})
