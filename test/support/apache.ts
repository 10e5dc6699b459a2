import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { programIsMissing, programPath } from './programs.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor } from './wait-for.ts'

export const apacheIsMissing = programIsMissing('apache2')

const modules = ['mpm_event', 'authz_core', 'dir', 'mime', 'headers', 'rewrite']

/**
 * Starts Apache for the files in a directory, for one test. Like on most web hosts, `.htaccess` files may
 * not change options.
 */
export async function startApache(root: string): Promise<string> {
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const { path } = resources.use(temporaryDirectory())
  const port = await freePort()
  // Apache does not serve files as root.
  for (let each = root; each !== dirname(dirname(path)); each = dirname(each))
    chmodSync(each, 0o755)
  const file = join(path, 'apache.conf')
  writeFileSync(
    file,
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`).join('')}
ServerRoot ${path}
ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${path}/apache.pid
ErrorLog ${path}/error.log
TypesConfig /etc/mime.types
DocumentRoot ${root}
<Directory ${root}>
  AllowOverride FileInfo Indexes
  Require all granted
</Directory>
`,
  )
  const program = programPath('apache2') ?? ''
  const apache = spawn(program, ['-f', file, '-DFOREGROUND'], { stdio: 'inherit' })
  const closed = once(apache, 'close')
  resources.defer(async () => {
    apache.kill('SIGTERM')
    await closed
  })
  const url = `http://127.0.0.1:${port}`
  await Promise.race([
    waitFor(() => fetch(url)),
    closed.then(() => Promise.reject(new Error('Apache does not start'))),
  ])
  return url
}
