import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { userMessagesFrom } from '../../src/cli/user-errors.ts'
import { command, storeIn, note } from '../support/backups.ts'
import { testDirectory } from '../support/service.ts'

test.for([
  { code: 'ENOENT', says: /^\/srv\/backup\.gz does not exist\.$/ },
  {
    code: 'EACCES',
    says: /^\/srv\/backup\.gz cannot be used: permission denied for the user with/,
  },
  { code: 'EISDIR', says: /^\/srv\/backup\.gz cannot be used \(EISDIR\)\.$/ },
])('describes the file error $code in a single sentence', ({ code, says }) => {
  const error = Object.assign(new Error(code), { code, path: '/srv/backup.gz' })
  expect(userMessagesFrom(error, 'restore')).toEqual([expect.stringMatching(says)])
})

test('says which setting names the directory for temporary files', () => {
  const code = 'EROFS'
  const path = '/srv/tmp/feedhouse-XXXXXX'
  const error = Object.assign(new Error(code), { code, path, syscall: 'mkdtemp' })
  expect(userMessagesFrom(error, 'serve')).toEqual([
    'The directory for temporary files /srv/tmp is not writable (EROFS); set TMPDIR to a writable directory.',
  ])
})

test('suggests choosing another port with the option or setting that the command supports', () => {
  const listen = { code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 65_535 }
  const error = Object.assign(new Error(), listen)
  expect(userMessagesFrom(error, 'serve')?.[0]).toMatch(/ for example: PORT=65534 npm start$/)
  expect(userMessagesFrom(error, 'sandbox')?.[0]).toMatch(/Choose another port\.$/)
})

test.for([
  {
    code: 'EADDRNOTAVAIL',
    says: /^This machine has no address 192\.0\.2\.1 to listen on\. Check HOST/,
  },
  { code: 'EACCES', says: /^Listening on 192\.0\.2\.1:80 is not allowed\. Choose port 1024/ },
  { code: 'EINVAL', says: /^Listening on 192\.0\.2\.1:80 failed \(EINVAL\)\.$/ },
])('says why the server cannot listen: $code', ({ code, says }) => {
  const listen = { code, syscall: 'listen', address: '192.0.2.1', port: 80 }
  const error = Object.assign(new Error(code), listen)
  expect(userMessagesFrom(error, 'serve')).toEqual([expect.stringMatching(says)])
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
