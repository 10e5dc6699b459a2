import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

const starts = 5

/** Number of databases. Each test in a run uses an empty database. */
const databases = 4096

/** Timeout after which servers of a cluster, or Sentinels, replace a primary that does not respond. */
const failoverMs = 1_000

const modes = {
  server: (_port: number): readonly string[] => [],
  cluster: (port: number) =>
    `--cluster-enabled yes --cluster-port ${port} --cluster-node-timeout ${failoverMs} --repl-diskless-sync-delay 0`.split(
      ' ',
    ),
  sentinel: (_port: number) => ['--sentinel'],
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>

/**
 * Starts Redis on a free loopback port, without persistence unless the configuration file enables it. `mode`
 * makes it a server of a cluster, or a Sentinel.
 */
export async function startRedis(configuration?: string, mode: keyof typeof modes = 'server') {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-redis-'))
  let server: ChildProcess | undefined
  let [port, busPort] = [0, 0]
  const start = () => running(directory, port, [...configurations, ...modes[mode](busPort)])
  const configurations = configuration === undefined ? [] : [configuration]
  for (let attempt = 1; !server; attempt += 1) {
    port = await freePort()
    busPort = await freePort()
    server = await start()
    if (!server && attempt === starts) throw new Error('redis-server does not start')
  }
  /** Kills the server without saving its data. */
  const kill = async () => {
    const ending = server
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const closed = once(ending, 'close')
    ending.kill('SIGKILL')
    await closed
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    /** Port for the other servers of a cluster. */
    busPort,
    kill,
    /** Restarts the server on the same port, without data. */
    async start() {
      server = await start()
      if (!server) throw new Error('redis-server does not start again')
    },
    /** Suspends the server. Connections stay open but receive no responses. */
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(directory, { recursive: true })
    },
  }
}

/**
 * Starts the server and waits until it accepts connections. Returns undefined if the port was
 * taken.
 */
async function running(
  directory: string,
  port: number,
  mode: readonly string[],
): Promise<ChildProcess | undefined> {
  const options = `--port ${port} --bind 127.0.0.1 --dir ${directory} --databases ${databases} --save`
  const args = [...mode, ...options.split(' '), '']
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(server.stdout)) {
    if (/Ready to accept connections|Sentinel ID is/.test(line)) {
      server.stdout.resume()
      return server
    }
  }
  return undefined
}
