import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { withReplacements } from './proxied.ts'
import { freePort } from './free-port.ts'
import { programIsMissing } from './programs.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor } from './wait-for.ts'

export const nginxIsMissing = programIsMissing('nginx', '-v')

const written = resolve(import.meta.dirname, '../../deploy/nginx.conf')

/** nginx with the project's configuration in front of two replicas. */
export async function startNginx(
  replicaPorts: readonly [number, number],
  { isCached = false }: { readonly isCached?: boolean } = {},
) {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const { path } = directory
  const { cert, key, caFile } = await localhostCertificate(path)
  mkdirSync(join(path, 'tls'))
  writeFileSync(join(path, 'tls/fullchain.pem'), cert)
  writeFileSync(join(path, 'tls/privkey.pem'), key)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const [first, second] = replicaPorts
  const configuration = withReplacements(readFileSync(written, 'utf8'), {
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
    // What docs/deploy.md says with sed.
    ...(isCached ? { '#cache ': '' } : {}),
  })
  writeFileSync(join(path, 'feedhouse.conf'), configuration)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(path, 'nginx.conf'),
    `daemon off;
pid ${path}/nginx.pid;
error_log ${path}/error.log error;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
${temporary.map((name) => `  ${name}_temp_path ${path}/${name};\n`).join('')}
  include ${path}/feedhouse.conf;
}
`,
  )
  const options = ['-e', join(path, 'error.log'), '-p', path, '-c', join(path, 'nginx.conf')]
  const nginx = spawn('nginx', options, { stdio: ['ignore', 'inherit', 'inherit'] })
  const closed = once(nginx, 'close')
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await closed
  })
  await waitFor(() => isListening(httpsPort))
  const log = (name: string) => readFileSync(join(path, name), 'utf8')
  return {
    url: `https://localhost:${httpsPort}`,
    httpUrl: `http://localhost:${httpPort}`,
    ca: readFileSync(caFile, 'utf8'),
    accessLog: () => log('feedhouse.log'),
    errorLog: () => `${log('error.log')}${log('feedhouse-error.log')}`,
  }
}

async function isListening(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
