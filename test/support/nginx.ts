import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { onTestFinished } from 'vitest'
import { programIsMissing } from './programs.ts'
import type { ReverseProxy } from './proxy-client.ts'
import { freePort } from './free-port.ts'
import { withReplacements } from './replacements.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor } from './wait-for.ts'

export const nginxIsMissing = programIsMissing('nginx')

const read = (file: string) => readFileSync(file, 'utf8')

const written = resolve(import.meta.dirname, '../../deploy/nginx.conf')

/** Starts nginx with the project's configuration in front of two replicas. */
export async function startNginx(
  replicaPorts: readonly [number, number],
  { isCached = false }: { readonly isCached?: boolean } = {},
): Promise<ReverseProxy> {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(temporaryDirectory())
  const { cert, key, caFile } = await localhostCertificate(path)
  mkdirSync(join(path, 'tls'))
  writeFileSync(join(path, 'tls/fullchain.pem'), cert)
  writeFileSync(join(path, 'tls/privkey.pem'), key)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const [first, second] = replicaPorts
  const configuration = withReplacements(read(written), {
    '127.0.0.1:8080': `127.0.0.1:${first}`,
    '127.0.0.1:8081': `127.0.0.1:${second}`,
    'feeds.example.org': 'localhost',
    '    listen [::]:80;\n': '',
    '    listen [::]:443 ssl http2;\n': '',
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${httpsPort} ssl http2;`,
    '/etc/letsencrypt/live/localhost/': `${path}/tls/`,
    '/var/log/nginx/': `${path}/`,
    '/var/cache/nginx-feedhouse': `${path}/cache`,
    // Does the same as the sed command in docs/deploy.md.
    ...(isCached ? { '#cache ': '' } : {}),
  })
  const nginx = starting.use(spawnNginx(path, configuration))
  await nginx.listensOn(httpsPort)
  const accessLog = join(path, 'feedhouse.log')
  const errorLog = join(path, 'error.log')
  const running = starting.move()
  return {
    url: `https://localhost:${httpsPort}`,
    httpUrl: `http://localhost:${httpPort}`,
    ca: read(caFile),
    log: () => read(accessLog) + read(errorLog),
    clearLogs() {
      for (const log of [accessLog, errorLog]) truncateSync(log)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Starts nginx with a `server` block on a free loopback port, for one test. */
export async function startNginxWith(serverBlock: string): Promise<string> {
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const { path } = resources.use(temporaryDirectory())
  const port = await freePort()
  const configuration = `server {\nlisten 127.0.0.1:${port};\naccess_log off;\n${serverBlock}\n}`
  const nginx = resources.use(spawnNginx(path, configuration))
  await nginx.listensOn(port)
  return `http://127.0.0.1:${port}`
}

/** Starts nginx with a configuration inside its `http` block. */
function spawnNginx(path: string, configuration: string) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = join(path, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;
pid ${path}/nginx.pid;
error_log ${path}/error.log error;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
${temporary.map((name) => `  ${name}_temp_path ${path}/${name};\n`).join('')}
${configuration}
}
`,
  )
  const options = ['-e', join(path, 'error.log'), '-p', path, '-c', file]
  const nginx = spawn('nginx', options, { stdio: ['ignore', 'inherit', 'inherit'] })
  const closed = once(nginx, 'close')
  return {
    /** Resolves once nginx accepts connections on a port. */
    listensOn: (port: number) =>
      Promise.race([
        waitFor(() => isListening(port)),
        closed.then(() => Promise.reject(new Error('nginx does not start'))),
      ]),
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM')
      await closed
    },
  }
}

async function isListening(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
