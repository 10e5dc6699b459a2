import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { testPassword } from './admin.ts'
import { compileCache, main } from './command-line.ts'
import { freePort } from './free-port.ts'
import { emptyRedisDatabase } from './redis.ts'
import { settingsFor } from './sandbox.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor } from './wait-for.ts'

export type Replica = ReturnType<typeof createReplica>

/** Starts two replicas that share a Redis server and a sandbox. */
export async function startReplicas({ publicUrl = 'https://feeds.example.org' } = {}) {
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(temporaryDirectory()).path
  const sandbox = starting.use(await createSandbox())
  const settings = {
    ...settingsFor(sandbox),
    ...compileCache(),
    REDIS_URL: await emptyRedisDatabase(),
    TRUST_PROXY: '1',
    PUBLIC_URL: publicUrl,
    ADMIN_PASSWORD: testPassword,
    DAV: 'yes',
  }
  const create = async () => {
    const port = await freePort()
    return createReplica(directory, { ...settings, PORT: String(port) }, port)
  }
  const [first, second] = [await create(), await create()]
  for (const replica of [first, second]) starting.defer(replica.kill)
  const [added] = await Promise.all([addLink(directory, settings), first.start(), second.start()])
  const { pathname: linkPath } = new URL(added.url)
  // Replicas load a new link within a few seconds.
  await waitFor(async () => {
    for (const { port } of [first, second]) {
      const { ok } = await fetch(`http://127.0.0.1:${port}${linkPath}calendar.ics`)
      if (!ok) throw new Error(`port ${port} does not know the link`)
    }
  })
  const running = starting.move()
  return {
    first,
    second,
    ports: [first.port, second.port] as const,
    /** Id, path and key of a feed link. */
    link: { id: added.id, path: linkPath, key: linkPath.split('/').at(-2) ?? '' },
    startBoth: () => Promise.all([first.start(), second.start()]),
    killBoth: () => Promise.all([first.kill(), second.kill()]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function addLink(
  cwd: string,
  env: Record<string, string>,
): Promise<{ readonly id: string; readonly url: string }> {
  const args = [main, 'link', 'add', '--label', 'Crew', '--json']
  const { stdout } = spawn(process.execPath, args, { cwd, env })
  return JSON.parse(await text(stdout))
}

function createReplica(cwd: string, env: Record<string, string>, port: number) {
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
    /** Starts the replica unless it is running. Resolves once it is ready. */
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
        if (!ok) throw new Error(`the replica is not ready: ${log}`)
      })
    },
    /** Kills the replica to simulate a crash. */
    kill: () => end('SIGKILL'),
    /** Stops the replica the way systemd and Docker do. */
    stop: () => end('SIGTERM'),
  }
}
