import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, type RunningProcess } from '../running/child-process.ts'

/** Where it is installed, and not on everybody's path. */
const commands = ['nginx', '/usr/sbin/nginx']
const startTries = 100
const startNapMs = 50

/** Undefined where it is not installed, or cannot send files that are compressed already. */
export function nginxVersion(): string | undefined {
  const build = commands.map(buildOf).find((text) => text.includes('http_gzip_static_module'))
  return /nginx\/(\S+)/.exec(build ?? '')?.[1]
}

/** Serves a directory, and beside each file the one with `.gz` behind its name. */
export async function startNginx(directory: string, running: AsyncDisposableStack) {
  const port = await freePort()
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration(directory, port))
  const command = commands.find((each) => buildOf(each) !== '') ?? ''
  const args = ['-p', directory, '-c', file, '-e', 'stderr']
  const server = running.use(startProcess(command, args, { cwd: directory }))
  await untilListening(server, port)
  return { name: 'nginx', url: `http://127.0.0.1:${port}`, pid: server.pid }
}

function buildOf(command: string): string {
  return spawnSync(command, ['-V'], { encoding: 'utf8' }).stderr ?? ''
}

function configuration(directory: string, port: number): string {
  // Root's workers are another user's, who may not read the directory.
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

async function untilListening(server: RunningProcess, port: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      server.expectRunning()
      if (tries === startTries) throw error
      await sleep(startNapMs)
    } finally {
      socket.destroy()
    }
  }
}
