import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { testDirectory } from './service.ts'

const starts = 5
const reachedMs = 5_000
const napMs = 20

/** Starts nginx with a `server` block on a free loopback port, for one test. */
export async function startNginxWith(serverBlock: string): Promise<string> {
  const directory = testDirectory()
  for (let attempt = 1; attempt <= starts; attempt += 1) {
    const port = await freePort()
    const server = spawnNginx(directory, `listen 127.0.0.1:${port};\n${serverBlock}`)
    if (await isReached(port, server)) {
      onTestFinished(async () => {
        const closed = once(server, 'close')
        server.kill('SIGTERM')
        await closed
      })
      return `http://127.0.0.1:${port}`
    }
  }
  throw new Error(`nginx does not start: ${readFileSync(join(directory, 'error.log'), 'utf8')}`)
}

function spawnNginx(directory: string, serverBlock: string): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(directory, name), { recursive: true })
    return `${name}_temp_path ${directory}/${name};`
  })
  const configuration = `daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events {}
http {
access_log off;
${temporary.join('\n')}
server {
${serverBlock}
}
}
`
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration)
  return spawn('nginx', ['-c', file, '-p', directory, '-e', join(directory, 'error.log')], {
    stdio: 'ignore',
  })
}

/**
 * Waits for nginx. Returns false if nginx exited because the port was taken or the configuration is
 * invalid.
 */
async function isReached(port: number, server: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + reachedMs
  while (performance.now() < deadline && server.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return true
    await new Promise((resolve) => setTimeout(resolve, napMs))
  }
  return false
}
