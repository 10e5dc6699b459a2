import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { programIsMissing } from './programs.ts'
import { withReplacements } from './proxied.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './service.ts'
import { waitUntil } from './wait-for.ts'

export const caddyIsMissing = programIsMissing('caddy', 'version')

const written = resolve(import.meta.dirname, '../../deploy/Caddyfile')
const options = ['--adapter', 'caddyfile', '--config']

/** What Caddy says of the Caddyfile as it is written. */
export function validateCaddyfile(environment: Readonly<Record<string, string>>) {
  using directory = temporaryDirectory()
  const env = { HOME: directory.path, PATH: process.env['PATH'], ...environment }
  const { status, stderr } = spawnSync('caddy', ['validate', ...options, written], { env })
  return { status, stderr: String(stderr) }
}

/** Caddy with the project's Caddyfile and a certificate of its own authority. */
export async function startCaddy(replicaPorts: readonly number[]) {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const { path } = directory
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const url = `https://localhost:${httpsPort}`
  const file = join(path, 'Caddyfile')
  const local = [
    `http_port ${httpPort}`,
    'admin off',
    'skip_install_trust',
    'default_bind 127.0.0.1',
  ]
  const global = '\n{\n\t# Whoever knows'
  const caddyfile = withReplacements(readFileSync(written, 'utf8'), {
    [global]: global.replace('{\n', `{\n${local.map((option) => `\t${option}\n`).join('')}`),
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
  onTestFinished(async () => {
    caddy.kill('SIGKILL')
    await closed
  })
  const authority = join(path, 'caddy/pki/authorities/local/root.crt')
  await waitUntil(() => log.includes('certificate obtained successfully'))
  return {
    url,
    httpUrl: `http://localhost:${httpPort}`,
    ca: readFileSync(authority, 'utf8'),
    log: () => log,
  }
}
