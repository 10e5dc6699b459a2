import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkBackup } from '../../src/backup/backup-file.ts'
import { linesOf } from '../../src/backup/backup-format.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { backupPlace, items, read, write } from './backup-files.ts'
import { asStream, collected } from '../support/stored-items.ts'

/** Rewrites a backup file, line by line. */
function rewrite(file: string, change: (lines: string[]) => readonly string[]): void {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  writeFileSync(file, gzipSync(`${change(lines).join('\n')}\n`))
}

describe('a backup file is rejected with a clear message if it', () => {
  const cutOff = 'The backup is incomplete: its end is missing.'
  const noBackup = 'The backup is not a Feedhouse backup, or it is damaged.'
  const unmatched = 'The backup is damaged: it does not match its checksum.'
  const ownFormat = '"formatVersion":1,"feedhouse":"0.1.0"'
  const newer = '"formatVersion":2,"feedhouse":"7.0.0"'

  test.for<[name: string, message: string, harm: (file: string) => void]>([
    ['is something else', noBackup, (file) => writeFileSync(file, 'hello')],
    ['is empty', cutOff, (file) => writeFileSync(file, '')],
    ['is cut off', cutOff, (file) => truncateSync(file, statSync(file).size - 20)],
    ['is cut off between lines', cutOff, (file) => rewrite(file, (lines) => lines.slice(0, -1))],
    [
      'has no content',
      'The backup is not a Feedhouse backup: it is empty.',
      (file) => writeFileSync(file, gzipSync('')),
    ],
    [
      'contains other JSON',
      'The backup is not a Feedhouse backup.',
      (file) => writeFileSync(file, gzipSync('{}\n')),
    ],
    [
      'ends within a line',
      'The backup is cut off within a line.',
      (file) => writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).subarray(0, -9))),
    ],
    ['lacks a line', unmatched, (file) => rewrite(file, (lines) => lines.toSpliced(2, 1))],
    [
      'has a changed value',
      unmatched,
      (file) => rewrite(file, (lines) => lines.map((line) => line.replace('Reyes', 'Peyes'))),
    ],
    [
      'has an invalid line',
      'The backup is damaged: a line is invalid.',
      (file) => rewrite(file, (lines) => lines.with(1, '{"bucket":"links"}')),
    ],
    [
      'has data after its end',
      'The backup is damaged: there is data after its end.',
      (file) => rewrite(file, (lines) => [...lines, ...lines]),
    ],
    [
      'has a newer format',
      'The backup was made by a newer version of Feedhouse (7.0.0); restore it with that version.',
      (file) => rewrite(file, ([head = '', ...rest]) => [head.replace(ownFormat, newer), ...rest]),
    ],
  ])('%s', async ([, message, harm]) => {
    const { file } = backupPlace()
    await write(file)
    harm(file)
    const fault = { name: 'StoreError', kind: 'unusable', message }
    await expect(checkBackup(file, 'The backup')).rejects.toMatchObject(fault)
    await expect(read(file)).rejects.toMatchObject(fault)
  })

  test('differs from the original by a single byte', async () => {
    const { file } = backupPlace()
    await write(file)
    const bytes = readFileSync(file)
    const taken: unknown[] = []
    // The first ten bytes are the gzip header, whose time and system fields are ignored.
    for (let index = 10; index < bytes.length; index += 1) {
      writeFileSync(file, bytes.with(index, (bytes[index] ?? 0) ^ 0x10))
      const outcome = await read(file).catch((error: unknown) => error)
      if (!(outcome instanceof StoreError)) taken.push(outcome)
    }
    // Padding bits do not affect the content.
    expect(taken.length).toBeLessThan(3)
    for (const outcome of taken) expect(outcome).toEqual(items)
  })

  test('has a line that never ends', async () => {
    const chunks = asStream([Buffer.alloc(60, 'a'), Buffer.alloc(60, 'b')])
    await expect(collected(linesOf(chunks, 'It', undefined, 100))).rejects.toThrow(
      'It is not a Feedhouse backup: a line is too long.',
    )
  })

  test('does not exist', async () => {
    await expect(checkBackup(backupPlace().file, 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
