import { createHash, randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backupItems, checkBackup, writeBackupFile } from '../../src/store/backup-file.ts'
import { linesOf } from '../../src/store/backup-format.ts'
import { StoreError } from '../../src/store/store-error.ts'
import type { StoredItem } from '../../src/store/store.ts'
import { temporaryDirectory } from '../support/service.ts'
import { asStream, collected, contentOf } from '../support/stored-items.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const takenAt = Date.parse('2026-03-05T15:00:00Z')
const head = { feedhouse: '0.1.0', site: 'https://cedarhollow.example', takenAt }

const items: readonly StoredItem[] = [
  { bucket: 'links', id: 'abcdefgh', value: '{"label":"Capt. Reyes"}', revision: 7 },
  { bucket: 'link-uses', id: 'abcdefgh', value: '', revision: 1, expiresAt: takenAt + 1 },
  { window: 'calls', id: 'one', at: takenAt - 1 },
]

function place() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return { directory: directory.path, file: join(directory.path, 'backup.gz') }
}

const write = (file: string, content: readonly StoredItem[] = items) =>
  writeBackupFile(file, { head, items: asStream(content) })

const read = (file: string) => collected(backupItems(file, 'The backup'))

/** The file with other lines. */
function rewrite(file: string, change: (lines: string[]) => readonly string[]): void {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  writeFileSync(file, gzipSync(`${change(lines).join('\n')}\n`))
}

test('a backup is lines of JSON that anybody can read', async () => {
  const { file } = place()
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

test('any text comes back as it was', async () => {
  const { file } = place()
  const text = fc.string({ unit: 'binary' })
  const codeUnits = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units))
  const anything = fc.oneof(text, codeUnits)
  const revision = fc.nat()
  const document = fc.record({ bucket: anything, id: anything, value: anything, revision })
  const passing = fc.record({
    ...{ bucket: anything, id: anything, value: anything, revision },
    expiresAt: fc.nat(),
  })
  const happening = fc.record({ window: anything, id: anything, at: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(document, passing, happening)), async (any) => {
      await write(file, any)
      expect(await read(file)).toEqual(any)
    }),
    { numRuns: 50 },
  )
})

describe('the file', () => {
  test('is for this user alone, and beside it is nothing', async () => {
    const { directory, file } = place()
    writeFileSync(file, 'the one before', { mode: 0o644 })
    await write(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['backup.gz'])
  })

  test('stays as it is when a backup fails', async () => {
    const { directory, file } = place()
    await write(file)
    const before = readFileSync(file)
    async function* broken(): AsyncGenerator<StoredItem> {
      yield* items
      throw new TypeError(file)
    }
    await expect(writeBackupFile(file, { head, items: broken() })).rejects.toThrow(file)
    const stopped = AbortSignal.abort()
    const content = { head, items: asStream(items) }
    await expect(writeBackupFile(file, content, stopped)).rejects.toMatchObject({
      name: 'StoreError',
      message: `The backup was stopped; ${file} is as it was before.`,
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(directory)).toEqual(['backup.gz'])
  })

  test('is written where a symbolic link leads', async () => {
    const { directory, file } = place()
    const link = join(directory, 'latest.gz')
    writeFileSync(file, '')
    symlinkSync(file, link)
    await write(link)
    expect(await read(file)).toEqual(items)
  })

  test('is told where it cannot be written', async () => {
    const { directory } = place()
    mkdirSync(join(directory, 'folder'))
    await expect(write(join(directory, 'folder'))).rejects.toMatchObject({
      message: `${join(directory, 'folder')} is no file to write a backup to.`,
    })
    const nowhere = join(directory, 'nowhere', 'backup.gz')
    await expect(write(nowhere)).rejects.toMatchObject({
      message: `The backup ${nowhere} cannot be written (ENOENT).`,
    })
  })

  test('that was begun long ago and never ended is removed', async () => {
    const { directory, file } = place()
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

describe('a file is refused in a sentence when it', () => {
  const cutOff = 'The backup is cut off: its end is missing.'
  const noBackup = 'The backup is no backup of Feedhouse, or is damaged.'
  const unmatched = 'The backup is damaged: it does not match its checksum.'

  test.for<{
    name: string
    message: string
    harm: (file: string) => void
  }>([
    { name: 'is another', message: noBackup, harm: (file) => writeFileSync(file, 'hello') },
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
      name: 'holds nothing',
      message: 'The backup is no backup of Feedhouse: it is empty.',
      harm: (file) => writeFileSync(file, gzipSync('')),
    },
    {
      name: 'holds another JSON',
      message: 'The backup is no backup of Feedhouse.',
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
      name: 'has another value',
      message: unmatched,
      harm: (file) => rewrite(file, (lines) => lines.map((line) => line.replace('Reyes', 'Peyes'))),
    },
    {
      name: 'has a line that cannot be read',
      message: 'The backup is damaged: a line of it cannot be read.',
      harm: (file) => rewrite(file, (lines) => lines.with(1, '{"bucket":"links"}')),
    },
    {
      name: 'goes on after its end',
      message: 'The backup is damaged: it goes on after its end.',
      harm: (file) => rewrite(file, (lines) => [...lines, ...lines]),
    },
    {
      name: 'is of a newer format',
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
    const { file } = place()
    await write(file)
    harm(file)
    const fault = { name: 'StoreError', kind: 'unusable', message }
    await expect(checkBackup(file, 'The backup')).rejects.toMatchObject(fault)
    await expect(read(file)).rejects.toMatchObject(fault)
  })

  test('has one byte that is another, wherever', async () => {
    const { file } = place()
    await write(file)
    const bytes = readFileSync(file)
    const taken: unknown[] = []
    // The first ten bytes are the head of gzip, which has a time and a system that nobody reads.
    for (let index = 10; index < bytes.length; index += 1) {
      writeFileSync(file, bytes.with(index, (bytes[index] ?? 0) ^ 0x10))
      const outcome = await read(file).catch((error: unknown) => error)
      if (!(outcome instanceof StoreError)) taken.push(outcome)
    }
    // Bits that only fill a byte mean nothing; then all is as it was.
    expect(taken.length).toBeLessThan(3)
    for (const outcome of taken) expect(outcome).toEqual(items)
  })

  test('has a line without an end', async () => {
    const chunks = asStream([Buffer.alloc(60, 'a'), Buffer.alloc(60, 'b')])
    await expect(collected(linesOf(chunks, { name: 'It', maxBytes: 100 }))).rejects.toThrow(
      'It is no backup of Feedhouse: a line has no end.',
    )
  })

  test('is not there', async () => {
    await expect(checkBackup(place().file, 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

onEveryStore((placeOf) => {
  test('what is brought to another store by a backup is all there, with every revision', async () => {
    const { file } = place()
    const { store, clock } = await storesAt(placeOf(), 1)
    const { store: target } = await storesAt(placeOf(), 1)
    const text = fc.string({ unit: 'binary', maxLength: 50 })
    const expiresAt = fc.option(fc.integer({ min: clock.now() + 1, max: 4e12 }), { nil: undefined })
    const document = fc.record({ bucket: text, id: text, value: text, expiresAt })
    const happening = fc.record({ window: text, id: fc.uuid(), ago: fc.nat(86_399_999) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 15 }),
        fc.array(happening, { maxLength: 15 }),
        async (documents, happenings) => {
          for (const { expiresAt: until, ...one } of documents) {
            await store.documents.write([until === undefined ? one : { ...one, expiresAt: until }])
          }
          for (const { window, id, ago } of happenings) {
            await store.windows.add(window, new Map([[id, clock.now() - ago]]))
          }
          await writeBackupFile(file, { head, items: store.snapshot() })
          await target.replace(backupItems(file, 'x'), { emptyBucket: 'nothing at all' })
          expect(await contentOf(target)).toEqual(await contentOf(store))
        },
      ),
      { numRuns: 20 },
    )
  })

  test('one of many megabytes is as it was', async () => {
    const { file } = place()
    const { store } = await storesAt(placeOf(), 1)
    const { store: target } = await storesAt(placeOf(), 1)
    const value = randomBytes(1_000_000).toString('base64')
    for (const id of Array.from({ length: 10 }, (_, index) => String(index))) {
      await store.documents.write([{ bucket: 'items', id, value: `${id} ${value}` }])
    }
    await writeBackupFile(file, { head, items: store.snapshot() })
    await target.replace(backupItems(file, 'x'), { emptyBucket: undefined })
    expect((await contentOf(target)).length).toBe(10)
    expect((await target.documents.get('items', '9'))?.value === `9 ${value}`).toBe(true)
  })
})
