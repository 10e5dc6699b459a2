import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, type RunningProcess } from '../running/child-process.ts'

/** Commands to try. `/usr/sbin` is not in every user's PATH. */
const commands = ['nginx', '/usr/sbin/nginx']
const maxStartTries = 100
const startPollMs = 50

/**
 * Returns nginx's version, or undefined if nginx is not installed or lacks the module for
 * precompressed files.
 */
export function nginxVersion(): string | undefined {
  const build = commands.map(buildInfo).find((text) => text.includes('http_gzip_static_module'))
  return /nginx\/(\S+)/.exec(build ?? '')?.[1]
}

/** Starts nginx with a directory of files and their precompressed `.gz` versions. */
export async function startNginx(directory: string, running: AsyncDisposableStack) {
  const port = await freePort()
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration(directory, port))
  const command = commands.find((each) => buildInfo(each) !== '') ?? ''
  const args = ['-p', directory, '-c', file, '-e', 'stderr']
  const server = running.use(startProcess(command, args, { cwd: directory }))
  await waitUntilListening(server, port)
  return { name: 'nginx', url: `http://127.0.0.1:${port}`, pid: server.pid }
}

function buildInfo(command: string): string {
  return spawnSync(command, ['-V'], { encoding: 'utf8' }).stderr ?? ''
}

function configuration(directory: string, port: number): string {
  // When root starts nginx, its workers would otherwise run as a user who cannot read the
  // directory.
  const user = process.getuid?.() === 0 ? `user ${userInfo().username} root;` : ''
  return `${user}
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  types { text/calendar ics; }
  open_file_cache max=16;
  gzip_static on;
  gzip_vary on;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${directory};
  }
}
`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function waitUntilListening(server: RunningProcess, port: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      server.expectRunning()
      if (tries === maxStartTries) throw error
      await sleep(startPollMs)
    } finally {
      socket.destroy()
    }
  }
}
