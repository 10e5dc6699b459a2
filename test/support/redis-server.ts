import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

const starts = 5

/** More than the tests of one run take: each has an empty one. */
const databases = 4096

export type RedisServer = AsyncDisposable & {
  readonly url: string
  /** Ends it as a crash does, with nothing saved. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same port, empty. */
  readonly start: () => Promise<void>
  /** Lets it hang: connections stay, answers do not come. */
  readonly pause: () => void
  readonly resume: () => void
  /** What `redis-cli` would send. */
  readonly command: (line: string) => Promise<void>
}

/** A Redis server on a free port of loopback, in memory alone. */
export async function startRedis(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-redis-'))
  let server: ChildProcess | undefined
  let port = 0
  for (let attempt = 1; !server; attempt += 1) {
    port = await freePort()
    server = await running(directory, port)
    if (!server && attempt === starts) throw new Error('redis-server does not start')
  }
  const kill = async () => {
    const ending = server
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const closed = once(ending, 'close')
    ending.kill('SIGKILL')
    await closed
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      server = await running(directory, port)
      if (!server) throw new Error('redis-server does not start again')
    },
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async command(line) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${line}\r\n`)
      const [reply] = await once(socket, 'data')
      socket.destroy()
      if (!String(reply).startsWith('+OK')) throw new Error(`${line}: ${String(reply)}`)
    },
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(directory, { recursive: true })
    },
  }
}

/** The server once it takes connections; undefined when somebody was quicker to take the port. */
async function running(directory: string, port: number): Promise<ChildProcess | undefined> {
  const options = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory],
    ...['--databases', String(databases)],
  ]
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(server.stdout)) {
    if (line.includes('Ready to accept connections')) {
      server.stdout.resume()
      return server
    }
  }
  return undefined
}
