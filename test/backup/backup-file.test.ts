import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkBackup, writeBackupFile } from '../../src/backup/backup-file.ts'
import type { StoredItem } from '../../src/store/store.ts'
import { backupPlace, head, items, read, takenAt, write } from './backup-files.ts'
import { asStream } from '../support/stored-items.ts'

test('writes a backup as human-readable lines of JSON', async () => {
  const { file } = backupPlace()
  expect(await write(file)).toEqual({ documents: 2, happenings: 1 })
  const lines = [
    '{"format":"feedhouse backup","formatVersion":1,"feedhouse":"0.1.0","site":"https://cedarhollow.example","takenAt":"2026-03-05T15:00:00.000Z"}',
    '{"bucket":"links","id":"abcdefgh","value":"{\\"label\\":\\"Capt. Reyes\\"}","revision":7}',
    `{"bucket":"link-uses","id":"abcdefgh","value":"","revision":1,"expiresAt":${takenAt + 1}}`,
    `{"window":"calls","id":"one","at":${takenAt - 1}}`,
  ]
  const text = lines.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  expect(gunzipSync(readFileSync(file)).toString()).toBe(
    `${text}{"end":true,"documents":2,"happenings":1,"sha256":"${sha256}"}\n`,
  )
  expect(await checkBackup(file, 'x')).toEqual({ ...head, documents: 2, happenings: 1 })
  expect(await read(file)).toEqual(items)
})

test('restores any string unchanged', async () => {
  const { file } = backupPlace()
  const text = fc.string({ unit: 'binary' })
  const codeUnits = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units))
  const anything = fc.oneof(text, codeUnits)
  const common = { bucket: anything, id: anything, value: anything, revision: fc.nat() }
  const document = fc.record(common)
  const passing = fc.record({ ...common, expiresAt: fc.nat() })
  const event = fc.record({ window: anything, id: anything, at: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(document, passing, event)), async (any) => {
      await write(file, any)
      expect(await read(file)).toEqual(any)
    }),
    { numRuns: 50 },
  )
})

describe('the backup file', () => {
  test('is readable only by its owner, and is the only file written', async () => {
    const { directory, file } = backupPlace()
    writeFileSync(file, 'the one before', { mode: 0o644 })
    await write(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['backup.gz'])
  })

  test('is left unchanged by a failed backup', async () => {
    const { directory, file } = backupPlace()
    await write(file)
    const before = readFileSync(file)
    async function* broken(): AsyncGenerator<StoredItem> {
      yield* items
      throw new TypeError(file)
    }
    await expect(writeBackupFile(file, { head, items: broken() })).rejects.toThrow(file)
    const stopped = AbortSignal.abort()
    const content = { head, items: asStream(items) }
    await expect(writeBackupFile(file, content, { signal: stopped })).rejects.toMatchObject({
      name: 'StoreError',
      message: `The backup was stopped; ${file} is unchanged.`,
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(directory)).toEqual(['backup.gz'])
  })

  test('is written to the target of a symbolic link', async () => {
    const { directory, file } = backupPlace()
    const link = join(directory, 'latest.gz')
    writeFileSync(file, '')
    symlinkSync(file, link)
    await write(link)
    expect(await read(file)).toEqual(items)
  })

  test('is named in the error message if it cannot be written', async () => {
    const { directory } = backupPlace()
    mkdirSync(join(directory, 'folder'))
    await expect(write(join(directory, 'folder'))).rejects.toThrow(
      `${join(directory, 'folder')} is not a file. Choose a file for the backup.`,
    )
    const nowhere = join(directory, 'nowhere', 'backup.gz')
    await expect(write(nowhere)).rejects.toThrow(
      `The backup ${nowhere} cannot be written (ENOENT).`,
    )
  })

  test('removes the unfinished file left by an earlier attempt', async () => {
    const { directory, file } = backupPlace()
    const [left, atWork] = ['1', '2'].map((digit) => `${file}.${digit.repeat(36)}.part`)
    const others = [`${file}.part`, join(directory, 'other.gz')]
    for (const path of [left, atWork, ...others]) writeFileSync(path ?? '', 'x')
    utimesSync(left ?? '', takenAt / 1000 - 4000, takenAt / 1000 - 4000)
    utimesSync(atWork ?? '', takenAt / 1000 - 60, takenAt / 1000 - 60)
    await write(file)
    expect(readdirSync(directory)).toHaveLength(4)
    expect(readdirSync(directory).join(' ')).not.toContain('1111')
  })
})
