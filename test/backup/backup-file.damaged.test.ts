import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkBackup } from '../../src/backup/backup-file.ts'
import { linesOf } from '../../src/backup/backup-format.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { backupPlace, items, read, write } from '../support/backup-files.ts'
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

  test.for<{
    name: string
    message: string
    harm: (file: string) => void
  }>([
    { name: 'is something else', message: noBackup, harm: (file) => writeFileSync(file, 'hello') },
    {
      name: 'is empty',
      message: cutOff,
      harm: (file) => writeFileSync(file, ''),
    },
    {
      name: 'is cut off',
      message: cutOff,
      harm: (file) => truncateSync(file, statSync(file).size - 20),
    },
    {
      name: 'is cut off between lines',
      message: cutOff,
      harm: (file) => rewrite(file, (lines) => lines.slice(0, -1)),
    },
    {
      name: 'has no content',
      message: 'The backup is not a Feedhouse backup: it is empty.',
      harm: (file) => writeFileSync(file, gzipSync('')),
    },
    {
      name: 'contains other JSON',
      message: 'The backup is not a Feedhouse backup.',
      harm: (file) => writeFileSync(file, gzipSync('{}\n')),
    },
    {
      name: 'ends within a line',
      message: 'The backup is cut off within a line.',
      harm: (file) => writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).subarray(0, -9))),
    },
    {
      name: 'lacks a line',
      message: unmatched,
      harm: (file) => rewrite(file, (lines) => lines.toSpliced(2, 1)),
    },
    {
      name: 'has a changed value',
      message: unmatched,
      harm: (file) => rewrite(file, (lines) => lines.map((line) => line.replace('Reyes', 'Peyes'))),
    },
    {
      name: 'has an invalid line',
      message: 'The backup is damaged: a line is invalid.',
      harm: (file) => rewrite(file, (lines) => lines.with(1, '{"bucket":"links"}')),
    },
    {
      name: 'has data after its end',
      message: 'The backup is damaged: there is data after its end.',
      harm: (file) => rewrite(file, (lines) => [...lines, ...lines]),
    },
    {
      name: 'has a newer format',
      message:
        'The backup was made by a newer version of Feedhouse (7.0.0); restore it with that version.',
      harm: (file) =>
        rewrite(file, ([first = '', ...rest]) => [
          first.replace(
            '"formatVersion":1,"feedhouse":"0.1.0"',
            '"formatVersion":2,"feedhouse":"7.0.0"',
          ),
          ...rest,
        ]),
    },
  ])('$name', async ({ message, harm }) => {
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
    await expect(collected(linesOf(chunks, { name: 'It', maxBytes: 100 }))).rejects.toThrow(
      'It is not a Feedhouse backup: a line is too long.',
    )
  })

  test('does not exist', async () => {
    await expect(checkBackup(backupPlace().file, 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
