import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  removeAbandonedFiles,
  restrictDataFiles,
  restrictSecretFiles,
} from '../../src/store/private-files.ts'
import { testDirectory } from '../support/service.ts'

function directoryWith(modes: Readonly<Record<string, number>>) {
  const directory = testDirectory()
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(directory, name), '')
    chmodSync(join(directory, name), mode)
  }
  const at = (name: string) => join(directory, name)
  const modeOf = (name: string) => statSync(at(name)).mode & 0o777
  return { path: directory, at, modeOf }
}

test('restricts stores, copies, backups, records and keys to their owner', () => {
  const names = [
    'www.example.org.sqlite',
    'www.example.org.sqlite-wal',
    'www.example.org.sqlite-shm',
    'www.example.org.sqlite.before-v2',
    'backup.gz',
    'www.example.org.kept.json',
    '_stores.kept.json',
    'mail.key',
  ]
  const { path, modeOf } = directoryWith(Object.fromEntries(names.map((name) => [name, 0o666])))
  expect(restrictDataFiles(path)).toEqual([])
  expect(names.map(modeOf)).toEqual(names.map(() => 0o600))
})

test('removes what killed processes have left unfinished, unless it is recent', () => {
  const id = '0c2f2c5e-3f0e-4d0c-9a39-2d1b6f0e9c11'
  const parts = [`a.kept.json.${id}.part`, `a.sqlite.${id}.part`, `a.sqlite.${id}.part-journal`]
  const others = ['a.sqlite', 'a.kept.json', 'notes.part']
  const { path } = directoryWith(
    Object.fromEntries([...parts, ...others].map((name) => [name, 0o600])),
  )
  removeAbandonedFiles(path, Date.now())
  expect(readdirSync(path)).toHaveLength(parts.length + others.length)
  removeAbandonedFiles(path, Date.now() + 2 * 60 * 60 * 1000)
  expect(readdirSync(path).toSorted()).toEqual(others.toSorted())
})

test('leaves other files unchanged', () => {
  const { path, at, modeOf } = directoryWith({ 'notes.txt': 0o644, elsewhere: 0o644 })
  symlinkSync(at('elsewhere'), at('link.sqlite'))
  mkdirSync(at('directory.sqlite'))
  expect(restrictDataFiles(path)).toEqual([])
  expect([modeOf('notes.txt'), modeOf('elsewhere')]).toEqual([0o644, 0o644])
})

test('denies other users access to secrets, and keeps access for the group', () => {
  const { at, modeOf } = directoryWith({ token: 0o644, shared: 0o640 })
  expect(restrictSecretFiles([at('token'), at('shared'), at('missing')])).toEqual([])
  expect([modeOf('token'), modeOf('shared')]).toEqual([0o640, 0o640])
})

test('reports files whose mode it cannot change', ({ skip }) => {
  skip(process.getuid?.() === 0, 'root has all permissions')
  expect(restrictSecretFiles(['/etc/passwd'])).toEqual(['/etc/passwd'])
})
