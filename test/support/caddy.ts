import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connect } from 'node:tls'
import { programIsMissing } from './programs.ts'
import { freePort } from './free-port.ts'
import { withReplacements } from './replacements.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor, waitUntil } from './wait-for.ts'

export const caddyIsMissing = programIsMissing('caddy')

const written = resolve(import.meta.dirname, '../../deploy/Caddyfile')
const options = ['--adapter', 'caddyfile', '--config']

/** Runs `caddy validate` on the Caddyfile and returns its output. */
export function validateCaddyfile(environment: Readonly<Record<string, string>>) {
  using directory = temporaryDirectory()
  const env = { HOME: directory.path, PATH: process.env['PATH'], ...environment }
  const { status, stderr } = spawnSync('caddy', ['validate', ...options, written], { env })
  return { status, stderr: String(stderr) }
}

/** Starts Caddy with the project's Caddyfile and a certificate from Caddy's own authority. */
export async function startCaddy(
  replicaPorts: readonly number[],
  /** How long requests wait for a replica. Defaults to the value in the Caddyfile. */
  tryDuration = '10s',
) {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(temporaryDirectory())
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const url = `https://localhost:${httpsPort}`
  const file = join(path, 'Caddyfile')
  const local = [
    `http_port ${httpPort}`,
    'admin off',
    'skip_install_trust',
    'default_bind 127.0.0.1',
  ]
  const globalBlock = '\n{\n'
  const caddyfile = withReplacements(readFileSync(written, 'utf8'), {
    [globalBlock]: `${globalBlock}${local.map((option) => `\t${option}\n`).join('')}`,
    'lb_try_duration 10s': `lb_try_duration ${tryDuration}`,
  })
  writeFileSync(file, caddyfile)
  const caddy = spawn('caddy', ['run', ...options, file], {
    env: {
      HOME: path,
      XDG_DATA_HOME: path,
      PATH: process.env['PATH'],
      FEEDHOUSE_HOSTS: url,
      FEEDHOUSE_REPLICAS: replicaPorts.map((port) => `127.0.0.1:${port}`).join(' '),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  caddy.stderr.on('data', (lines) => (log += String(lines)))
  const closed = once(caddy, 'close')
  starting.defer(async () => {
    caddy.kill('SIGKILL')
    await closed
  })
  const authority = join(path, 'caddy/pki/authorities/local/root.crt')
  const ended = closed.then(() => Promise.reject(new Error(`Caddy does not start: ${log}`)))
  await Promise.race([waitUntil(() => log.includes('certificate obtained successfully')), ended])
  const ca = readFileSync(authority, 'utf8')
  // Caddy logs the new certificate slightly before its listeners start to use it.
  await Promise.race([waitFor(() => shakeHands(httpsPort, ca)), ended])
  const running = starting.move()
  return {
    url,
    httpUrl: `http://localhost:${httpPort}`,
    ca,
    log: () => log,
    clearLogs: () => void (log = ''),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Rejects when the TLS handshake fails. */
async function shakeHands(port: number, ca: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca })
  await once(socket, 'secureConnect').finally(() => socket.destroy())
}
