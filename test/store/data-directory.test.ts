import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  dataDirectoryFault,
  diskFailure,
  diskFullError,
  openDataDirectory,
} from '../../src/store/data-directory.ts'
import { temporaryDirectory } from '../support/service.ts'

test('reports the owner of the directory, the current user, and the command that fixes the problem', () => {
  using directory = temporaryDirectory()
  const { path } = directory
  const { uid } = statSync(path)
  const user = uid + 1000
  const otherwise =
    ' (for a container, on the directory mounted there), or set DATA_DIR to a writable directory.'
  expect(dataDirectoryFault(path, 'EACCES', user)).toBe(
    `The data directory ${path} is not writable (EACCES): ${path} belongs to the user with id ${uid}, and Feedhouse runs as ${user}. Run "chown -R ${user}:${user} ${path}" as root${otherwise}`,
  )
  const missing = join(path, 'data')
  expect(dataDirectoryFault(missing, 'EACCES', user)).toBe(
    `The data directory ${missing} is not writable (EACCES): ${path} belongs to the user with id ${uid}, and Feedhouse runs as ${user}. Run "install -d -o ${user} -g ${user} -m 700 ${missing}" as root${otherwise}`,
  )
})

test('reports the directory and the error code for any other error', () => {
  using directory = temporaryDirectory()
  const { path } = directory
  const sentence = (code: string) =>
    `The data directory ${path} is not writable (${code}); set DATA_DIR to a writable directory.`
  expect(dataDirectoryFault(path, 'EROFS', 1000)).toBe(sentence('EROFS'))
  expect(dataDirectoryFault(path, 'EACCES', statSync(path).uid)).toBe(sentence('EACCES'))
})

test('creates the directory and its parents, for the owner only', () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, 'a', 'b')
  expect([openDataDirectory(path), openDataDirectory(path)]).toEqual([path, path])
  for (const created of [path, join(directory.path, 'a')]) {
    expect(statSync(created).mode & 0o777).toBe(0o700)
  }
})

test.skipIf(process.platform !== 'linux')('reports a directory that accepts no entries', () => {
  expect(() => openDataDirectory('/proc/a/b')).toThrow(
    'The data directory /proc/a/b is not writable (ENOENT); set DATA_DIR to a writable directory.',
  )
})

test('detects a full disk, such as that of /proc, which never has space', async () => {
  using directory = temporaryDirectory()
  expect(await diskFailure('/proc')).toMatchObject({
    kind: 'disk full',
    message:
      "The disk with the data directory /proc is full. Delete what you don't need from this disk, or enlarge it.",
  })
  expect(await diskFailure(directory.path)).toBeUndefined()
  expect(await diskFailure(join(directory.path, 'missing'))).toBeUndefined()
  expect(await diskFailure(undefined)).toBeUndefined()
})

test('names an absolute path, or none at all', () => {
  expect(diskFullError('data').message).toContain(`directory ${join(process.cwd(), 'data')} is`)
  expect(diskFullError().message).toContain('The disk with the data directory is full.')
})
