import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { userMessagesFrom } from '../../src/cli/user-errors.ts'
import { command, storeIn, note } from '../support/backups.ts'
import { testDirectory } from '../support/service.ts'

const port80 = { syscall: 'listen', address: '192.0.2.1', port: 80 }

test.for([
  ['ENOENT', { path: '/srv/a.gz' }, /^\/srv\/a\.gz does not exist\.$/],
  ['EACCES', { path: '/srv/a.gz' }, /^\/srv\/a\.gz cannot be used: permission denied for the user/],
  ['EISDIR', { path: '/srv/a.gz' }, /^\/srv\/a\.gz cannot be used \(EISDIR\)\.$/],
  [
    'EROFS',
    { path: '/srv/tmp/feedhouse-XXXXXX', syscall: 'mkdtemp' },
    /^The directory for temporary files \/srv\/tmp is not writable \(EROFS\); set TMPDIR to a /,
  ],
  ['EADDRNOTAVAIL', port80, /^This machine has no address 192\.0\.2\.1 to listen on\. Check HOST/],
  ['EACCES', port80, /^Listening on 192\.0\.2\.1:80 is not allowed\. Choose port 1024/],
  ['EINVAL', port80, /^Listening on 192\.0\.2\.1:80 failed \(EINVAL\)\.$/],
] as const)('describes the error %s of %j in a single sentence', ([code, about, says]) => {
  const error = Object.assign(new Error(code), { code, ...about })
  expect(userMessagesFrom(error, 'serve')).toEqual([expect.stringMatching(says)])
})

test('suggests choosing another port with the option or setting that the command supports', () => {
  const listen = { code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 65_535 }
  const error = Object.assign(new Error(), listen)
  expect(userMessagesFrom(error, 'serve')?.[0]).toMatch(/ for example: PORT=65534 npm start$/)
  expect(userMessagesFrom(error, 'sandbox')?.[0]).toMatch(/Choose another port\.$/)
})

/** Creates a directory that only root can use. */
function closedDirectory(): string {
  const directory = join(testDirectory(), 'closed')
  mkdirSync(directory, { mode: 0o000 })
  onTestFinished(() => chmodSync(directory, 0o700))
  return directory
}

test('reports missing permissions', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root has all permissions')
  const closed = closedDirectory()
  const directory = testDirectory()
  await storeIn(directory, ({ documents }) => documents.write([note]))
  const { stderr } = await command(directory, ['backup', join(closed, 'x.gz')])
  expect(stderr).toMatch(
    /x\.gz cannot be written: the user with id \d+ has no .* backup - > \S+x\.gz/,
  )
  const project = await command(directory, ['sandbox', 'project', 'list', '--data-dir', closed])
  expect(project.stderr).toMatch(/closed cannot be read: permission denied for the user with id/)
})
