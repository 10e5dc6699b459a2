import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkBackup } from '../../../src/backup/backup-file.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { backedUp, note, settings, site, storeIn } from '../../support/backups.ts'
import {
  compileCache,
  killWithTest,
  main,
  resultOf,
  runProcess,
} from '../../support/command-line.ts'
import { testDirectory } from '../../support/service.ts'
import { waitUntil } from '../../support/wait-for.ts'

/** A backup of forty documents of this size takes long enough to be interrupted. */
const valueBytes = 1_000_000

test('restores a backup through a pipe', async () => {
  const directory = testDirectory()
  await storeIn(directory, (store) => store.documents.write([note]))
  const line = `"$0" "${main}" backup - --json | DATA_DIR=other "$0" "${main}" restore - --json`
  const child = spawn('sh', ['-c', line, process.execPath], {
    cwd: directory,
    env: { ...compileCache(), ...settings },
  })
  killWithTest(child)
  const { code, stdout, stderr } = await resultOf(child)
  expect(code).toBe(0)
  expect(JSON.parse(stderr)).toMatchObject({ file: '-', documents: 1 })
  expect(JSON.parse(stdout)).toMatchObject({ site: `https://${site}`, documents: 1 })
  expect(readdirSync(join(directory, 'other'))).toEqual([`${site}.sqlite`])
  await using store = openSqliteStore(join(directory, 'other', `${site}.sqlite`), Date.now)
  expect(await store.documents.get('notes', 'a')).toMatchObject({ value: 'first' })
})

describe('keeps the previous backup if it is stopped', () => {
  test.for([
    {
      signal: 'SIGTERM',
      says: 'The backup was stopped; backup.gz is unchanged.\n',
      left: [],
    },
    // A killed process leaves its file behind. A backup at least an hour later removes that file.
    { signal: 'SIGKILL', says: '', left: [expect.stringMatching(/^backup\.gz\..*\.part$/)] },
  ] as const)('by $signal', async ({ signal, says, left }) => {
    const directory = await backedUp()
    const path = join(directory, 'backup.gz')
    const before = readFileSync(path)
    await storeIn(directory, async ({ documents }) => {
      for (let id = 0; id < 40; id += 1) {
        const value = randomBytes(valueBytes).toString('base64')
        await documents.write([{ bucket: 'items', id: String(id), value }])
      }
    })
    const child = runProcess(directory, ['backup', 'backup.gz'], settings)
    const parts = () => readdirSync(directory).filter((name) => name.endsWith('.part'))
    await waitUntil(() => parts().length > 0)
    child.kill(signal)
    const { code, stderr } = await resultOf(child)
    expect(code).not.toBe(0)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(stderr).toBe(says)
    expect(parts()).toEqual(left)
    expect((await checkBackup(path, 'x')).documents).toBe(1)
  })
})
