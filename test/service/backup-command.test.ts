import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { backup } from '../../src/cli/backup.ts'
import { restore } from '../../src/cli/restore.ts'
import { checkBackup } from '../../src/store/backup-file.ts'
import { openSqliteStore } from '../../src/store/sqlite-store.ts'
import { backedUp, command, note, place, settings, site, storeIn } from '../support/backups.ts'
import { killWithTest, resultOf, run } from '../support/command-line.ts'
import { waitUntil } from '../support/wait-for.ts'

// Each test starts several processes, on a machine that is busy.
vi.setConfig({ testTimeout: 90_000 })

/** Forty of them take long enough to be stopped meanwhile. */
const valueBytes = 1_000_000

describe('backup', () => {
  test('says what it has written, and to whom that must not be shown', async () => {
    const directory = place()
    await storeIn(directory, async ({ documents, windows }) => {
      await documents.write([note])
      await windows.take('calls', [{ windowMs: 60_000, most: 5 }])
    })
    const said = `The backup of https://${site} has 1 documents and 1 counted calls. It holds the access token: keep it where nobody else can read it.\n`
    const plain = await command(directory, ['backup', 'backup.gz'])
    expect(plain).toEqual({ code: 0, stdout: said, stderr: '' })
    const { stdout } = await command(directory, ['backup', 'backup.gz', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      ...{ file: 'backup.gz', site: `https://${site}`, documents: 1, happenings: 1 },
      takenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(statSync(join(directory, 'backup.gz')).mode & 0o777).toBe(0o600)
  })

  test('goes through a pipe, there and back', async () => {
    const directory = place()
    await storeIn(directory, (store) => store.documents.write([note]))
    const main = resolve(import.meta.dirname, '../../src/main.ts')
    const line = `"$0" "${main}" backup - --json | DATA_DIR=other "$0" "${main}" restore - --json`
    const child = spawn('sh', ['-c', line, process.execPath], { cwd: directory, env: settings })
    killWithTest(child)
    const { code, stdout, stderr } = await resultOf(child)
    expect(code).toBe(0)
    expect(JSON.parse(stderr)).toMatchObject({ file: '-', documents: 1 })
    expect(JSON.parse(stdout)).toMatchObject({ site: `https://${site}`, documents: 1 })
    expect(readdirSync(join(directory, 'other'))).toEqual([`${site}.sqlite`])
    await using store = openSqliteStore(join(directory, 'other', `${site}.sqlite`), Date.now)
    expect(await store.documents.get('notes', 'a')).toMatchObject({ value: 'first' })
  })

  test.for([
    {
      args: ['backup', 'a'],
      changes: { SITE_URL: '', SITE_REFRESH_TOKEN: '', SITE_TIME_ZONE: '' },
      says: /^SITE_URL is not set; the demo has nothing/,
    },
    {
      args: ['backup', 'a'],
      changes: {},
      says: /^Nothing is stored of https:\/\/cedarhollow\.example, .* correct DATA_DIR or REDIS_URL\.\n$/,
    },
    {
      args: ['restore', 'nowhere.gz'],
      changes: {},
      says: /nowhere\.gz cannot be used \(ENOENT\)\.\n$/,
    },
  ])('$args says what is wrong', async ({ args, changes, says }) => {
    const result = await command(place(), args, changes)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(says)
  })
})

test.for([
  { args: [], work: backup, says: 'The command is: backup FILE.' },
  { args: ['a', 'b'], work: backup, says: 'The command is: backup FILE.' },
  { args: [], work: restore, says: 'The command is: restore FILE [--replace]; see --help.' },
])('without one file: $says', async ({ args, work, says }) => {
  await expect(work(args)).rejects.toMatchObject({ name: 'UsageError', message: says })
})

describe('a backup that is stopped leaves the one before', () => {
  test.for([
    {
      signal: 'SIGTERM',
      says: 'The backup was stopped; backup.gz is as it was before.\n',
      left: [],
    },
    // Who is killed cleans up nothing; a backup of a later hour does.
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
    const child = run(directory, ['backup', 'backup.gz'], settings)
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
