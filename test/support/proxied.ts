import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'
import { main } from './command-line.ts'
import { freePort } from './free-port.ts'
import { emptyRedisDatabase } from './redis.ts'
import { settingsFor } from './sandbox.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor, waitUntil } from './wait-for.ts'

/** What the proxies' own configuration is written for, and what the tests have instead. */
export type Replacements = Readonly<Record<string, string>>

/** Fails where the configuration has not what is replaced: it would be another that is tried. */
export function withReplacements(configuration: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((text, [written, instead]) => {
    if (!text.includes(written)) throw new Error(`the configuration has no ${written}`)
    return text.replaceAll(written, instead)
  }, configuration)
}

export type Replica = {
  readonly port: number
  /** Its log so far. */
  readonly log: () => string
  /** Ends it as a crash does. */
  readonly kill: () => Promise<void>
  /** Ends it as systemd and Docker do. */
  readonly stop: () => Promise<void>
  /** Unless it runs. Resolves once it is ready. */
  readonly start: () => Promise<void>
}

/** Two replicas on one Redis that read one sandbox, as behind one proxy. */
export async function startReplicas({ publicUrl = 'https://feeds.example.org' } = {}) {
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(temporaryDirectory()).path
  const sandbox = starting.use(await createSandbox())
  const settings = {
    ...settingsFor(sandbox),
    REDIS_URL: await emptyRedisDatabase(),
    TRUST_PROXY: '1',
    PUBLIC_URL: publicUrl,
  }
  const replicas = [await freePort(), await freePort()].map((port) =>
    createReplica(directory, { ...settings, PORT: String(port) }, port),
  )
  const [first, second] = replicas
  if (!first || !second) throw new TypeError('there are two')
  for (const replica of replicas) starting.defer(replica.kill)
  await Promise.all(replicas.map((replica) => replica.start()))
  const args = [main, 'link', 'add', '--label', 'Crew', '--json']
  const adding = spawn(process.execPath, args, { cwd: directory, env: settings })
  const { pathname } = new URL(JSON.parse(await text(adding.stdout)).url)
  // A link counts on every replica within seconds.
  await waitFor(async () => {
    for (const { port } of replicas) {
      const { ok } = await fetch(`http://127.0.0.1:${port}${pathname}calendar.ics`)
      if (!ok) throw new Error(`port ${port} does not know the link`)
    }
  })
  const running = starting.move()
  return {
    first,
    second,
    /** Where a feed link is, and the key in it. */
    link: { path: pathname, key: pathname.split('/').at(-2) ?? '' },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>

function createReplica(cwd: string, env: Record<string, string>, port: number): Replica {
  let child: ChildProcess | undefined
  let log = ''

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!child) return
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    child = undefined
  }

  return {
    port,
    log: () => log,
    async start() {
      if (child) return
      child = spawn(process.execPath, [main, 'serve'], {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.stderr?.on('data', (lines) => (log += String(lines)))
      await waitFor(async () => {
        const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`)
        if (!ok) throw new Error(`it is not ready: ${log}`)
      })
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Asks a proxy over TLS, over HTTP/2 or 1.1, from an address of loopback. */
export function clientOf(
  origin: string,
  { ca, http2 = true, address = '127.0.0.1' }: ClientOptions,
) {
  const dispatcher = new Agent({ allowH2: http2, localAddress: address, connect: { ca } })
  onTestFinished(() => dispatcher.destroy())
  return async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await request(`${origin}${path}`, { dispatcher, headers })
    const body = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, body }
  }
}

type ClientOptions = {
  readonly ca: string
  readonly http2?: boolean
  readonly address?: string
}

const askingAtOnce = 8

/** Several that ask again and again, until the test is over. `ask` resolves to statuses of answers. */
export function createCrowd(ask: () => Promise<readonly number[]>) {
  const statuses: number[] = []
  const over = new AbortController()
  async function askAllTheTime(): Promise<void> {
    while (!over.signal.aborted) statuses.push(...(await ask()))
  }
  const asking = Promise.allSettled(Array.from({ length: askingAtOnce }, askAllTheTime))
  async function end() {
    over.abort()
    for (const asked of await asking) if (asked.status === 'rejected') throw asked.reason
  }
  return {
    /** Resolves when so many more answers have come. */
    async more(count: number) {
      const enough = statuses.length + count
      await waitUntil(() => statuses.length >= enough)
    },
    /** Of all answers, once no more come. */
    async statuses() {
      await end()
      return statuses
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await asking
    },
  }
}
