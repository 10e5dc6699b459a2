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
import { describe, expect, test } from 'vitest'
import { backupItems, checkBackup, writeBackupFile } from '../../src/backup/backup-file.ts'
import type { StoredItem } from '../../src/store/store.ts'
import { anyCharacter } from '../support/hostile-text.ts'
import { testDirectory } from '../support/service.ts'
import { asStream, collected, contentOf } from '../support/stored-items.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'
import { linesOf } from '../../src/backup/backup-format.ts'
import { StoreError } from '../../src/store/store-error.ts'

const takenAt = Date.parse('2026-03-05T15:00:00Z')
const head = { feedhouse: '0.1.0', site: 'https://cedarhollow.example', takenAt }

const items: readonly StoredItem[] = [
  { bucket: 'links', id: 'abcdefgh', value: '{"label":"Capt. Reyes"}', revision: 7 },
  { bucket: 'link-uses', id: 'abcdefgh', value: '', revision: 1, expiresAt: takenAt + 1 },
  { window: 'calls', id: 'one', at: takenAt - 1 },
]

/** Returns a temporary path for a backup. */
function backupPlace() {
  const directory = testDirectory()
  return { directory, file: join(directory, 'backup.gz') }
}

const write = (file: string, content: readonly StoredItem[] = items) =>
  writeBackupFile(file, { head, items: asStream(content) })

const read = (file: string) => collected(backupItems(file, 'The backup'))

test('writes a backup as human-readable lines of JSON', async () => {
  const { file } = backupPlace()
  expect(await write(file)).toEqual({ documents: 2, events: 1 })
  const lines = [
    '{"format":"feedhouse backup","formatVersion":1,"feedhouse":"0.1.0","site":"https://cedarhollow.example","takenAt":"2026-03-05T15:00:00.000Z"}',
    '{"bucket":"links","id":"abcdefgh","value":"{\\"label\\":\\"Capt. Reyes\\"}","revision":7}',
    `{"bucket":"link-uses","id":"abcdefgh","value":"","revision":1,"expiresAt":${takenAt + 1}}`,
    `{"window":"calls","id":"one","at":${takenAt - 1}}`,
  ]
  const text = lines.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  expect(gunzipSync(readFileSync(file)).toString()).toBe(
    `${text}{"end":true,"documents":2,"events":1,"sha256":"${sha256}"}\n`,
  )
  expect(await checkBackup(file, 'x')).toEqual({ ...head, documents: 2, events: 1 })
  expect(await read(file)).toEqual(items)
})

test('restores any string unchanged', async () => {
  const { file } = backupPlace()
  const text = fc.string({ unit: anyCharacter })
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
    utimesSync(atWork ?? '', takenAt / 1000 - 3500, takenAt / 1000 - 3500)
    await write(file)
    expect(readdirSync(directory)).toHaveLength(4)
    expect(readdirSync(directory).join(' ')).not.toContain('1111')
  })
})

onEveryStore((placeOf) => {
  test('restores every document to another store with its revision', async () => {
    const { file } = backupPlace()
    const { store, clock } = await storesAt(placeOf(), 1)
    const { store: target } = await storesAt(placeOf(), 1)
    const text = fc.string({ unit: anyCharacter, maxLength: 50 })
    const expiresAt = fc.option(fc.integer({ min: clock.now() + 1, max: 4e12 }), { nil: undefined })
    const document = fc.record({ bucket: text, id: text, value: text, expiresAt })
    const event = fc.record({ window: text, id: fc.uuid(), ago: fc.nat(86_399_999) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 15 }),
        fc.array(event, { maxLength: 15 }),
        async (documents, events) => {
          for (const { expiresAt: until, ...one } of documents) {
            await store.documents.write([until === undefined ? one : { ...one, expiresAt: until }])
          }
          for (const { window, id, ago } of events) {
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

  test('restores many megabytes of data unchanged', async () => {
    const { file } = backupPlace()
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

/** Rewrites a backup file, line by line. */
function rewrite(file: string, change: (lines: string[]) => readonly string[]): void {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  writeFileSync(file, gzipSync(`${change(lines).join('\n')}\n`))
}

const ofSite = (file: string, site: string) =>
  rewrite(file, ([first = '', ...rest]) => [first.replace(head.site, site), ...rest])

describe('a backup file is rejected with a clear message if it', () => {
  const cutOff = 'The backup is incomplete: its end is missing.'
  const noBackup = 'The backup is not a Feedhouse backup, or it is damaged.'
  const unmatched = 'The backup is damaged: it does not match its checksum.'
  const ownFormat = '"formatVersion":1,"feedhouse":"0.1.0"'
  const newer = '"formatVersion":2,"feedhouse":"7.0.0"'
  const badLine = 'The backup is damaged: a line is invalid.'
  const badHead = 'The backup is damaged: its first line is invalid.'

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
      badLine,
      (file) => rewrite(file, (lines) => lines.with(1, '{"bucket":"links"}')),
    ],
    ...['1e300', '0.5', '-1', '9007199254740991', '"1"', 'null'].map(
      (time): [string, string, (file: string) => void] => [
        `has a time of ${time}`,
        badLine,
        (file) => rewrite(file, (lines) => lines.with(3, `{"window":"a","id":"b","at":${time}}`)),
      ],
    ),
    [
      'has a document whose expiration is not a date',
      badLine,
      (file) =>
        rewrite(file, (lines) =>
          lines.map((line) => line.replace(`"expiresAt":${takenAt + 1}`, '"expiresAt":1e300')),
        ),
    ],
    ...['0', '-1', '0.5', '1e300'].map((number): [string, string, (file: string) => void] => [
      `has the format ${number}`,
      'The backup is not a Feedhouse backup.',
      (file) =>
        rewrite(file, ([first = '', ...rest]) => [
          first.replace('"formatVersion":1', `"formatVersion":${number}`),
          ...rest,
        ]),
    ]),
    [
      'has a revision after which the store would be unusable',
      `The backup is damaged: the revision ${Number.MAX_SAFE_INTEGER} of a document is too high.`,
      (file) =>
        rewrite(file, (lines) =>
          lines.map((line) =>
            line.replace('"revision":7', `"revision":${Number.MAX_SAFE_INTEGER}`),
          ),
        ),
    ],
    [
      'has data after its end',
      'The backup is damaged: there is data after its end.',
      (file) => rewrite(file, (lines) => [...lines, ...lines]),
    ],
    ['has an invalid URL as its website', badHead, (file) => ofSite(file, 'not a url')],
    ['has a script as its website', badHead, (file) => ofSite(file, 'javascript:alert(1)')],
    ['has an FTP address as its website', badHead, (file) => ofSite(file, 'ftp://a.example')],
    ['has a page as its website', badHead, (file) => ofSite(file, `${head.site}/\\u001b[31m`)],
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
