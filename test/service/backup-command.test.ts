import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Status } from '../../src/collections/status.ts'
import { backupItems, checkBackup } from '../../src/store/backup-file.ts'
import { openRedisStore } from '../../src/store/redis-store.ts'
import { createReplicas } from '../../src/store/replicas.ts'
import { openSqliteStore } from '../../src/store/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { killWithTest, outputUntil, resultOf, run } from '../support/command-line.ts'
import { redisIsMissing, startRedis, type RedisServer } from '../support/redis.ts'
import { settingsFor } from '../support/sandbox.ts'
import { temporaryDirectory } from '../support/service.ts'
import { collected, contentOf } from '../support/stored-items.ts'

// Each test starts several processes, on a machine that is busy.
vi.setConfig({ testTimeout: 90_000 })

const site = 'cedarhollow.example'
const settings = {
  SITE_URL: `https://${site}`,
  SITE_REFRESH_TOKEN: 'x',
  SITE_TIME_ZONE: 'America/New_York',
}
const note = { bucket: 'notes', id: 'a', value: 'first' }

function place() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return directory.path
}

/** The store of the site in the data directory of a place. */
async function storeIn(directory: string, work: (store: Store) => Promise<unknown>) {
  mkdirSync(join(directory, 'data'), { recursive: true })
  await using store = openSqliteStore(join(directory, 'data', `${site}.sqlite`), Date.now)
  return await work(store)
}

const command = (
  directory: string,
  args: readonly string[],
  changes: Record<string, string> = {},
) => resultOf(run(directory, args, { ...settings, ...changes }))

/** A place with a store that holds a note, and its backup. */
async function backedUp() {
  const directory = place()
  await storeIn(directory, (store) => store.documents.write([note]))
  expect((await command(directory, ['backup', 'backup.gz'])).code).toBe(0)
  return directory
}

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
    { args: ['backup'], changes: {}, says: /^The command is: backup FILE\.\n$/ },
    { args: ['backup', 'a', 'b'], changes: {}, says: /^The command is: backup FILE\.\n$/ },
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
    { args: ['restore'], changes: {}, says: /^The command is: restore FILE \[--replace\]; see/ },
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

const kept = (directory: string) => storeIn(directory, (store) => contentOf(store))

describe('restore refuses in a sentence', () => {
  test('a store that is not empty, unless it is to be replaced', async () => {
    const directory = await backedUp()
    const changed = { ...note, value: 'second' }
    await storeIn(directory, (store) => store.documents.write([changed]))
    expect(await command(directory, ['restore', 'backup.gz'])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'The store is not empty (1 documents); --replace puts the backup in their place.\n',
    })
    expect(await kept(directory)).toMatchObject([{ value: 'second' }])
    const { code, stdout } = await command(directory, ['restore', 'backup.gz', '--replace'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^The backup of https:\/\/cedarhollow\.example of \S+Z is restored: 1 documents and 0 counted calls\.\n$/,
    )
    expect(await kept(directory)).toMatchObject([{ value: 'first' }])
  })

  test('a store on which Feedhouse runs', async () => {
    const directory = await backedUp()
    await storeIn(directory, async ({ documents }) => {
      const { beat, leave } = createReplicas(documents, { id: 'one', now: Date.now })
      await beat()
      expect(await command(directory, ['restore', 'backup.gz', '--replace'])).toEqual({
        ...{ code: 1, stdout: '' },
        stderr:
          'Feedhouse is running on this store; stop it first. One that was killed counts as running for a minute.\n',
      })
      await leave()
    })
    expect((await command(directory, ['restore', 'backup.gz', '--replace'])).code).toBe(0)
  })

  test('a backup of another website', async () => {
    const directory = await backedUp()
    const other = { SITE_URL: 'https://other.example' }
    const { code, stderr } = await command(directory, ['restore', 'backup.gz'], other)
    expect(code).toBe(1)
    expect(stderr).toBe(
      'The backup backup.gz is of https://cedarhollow.example, but SITE_URL is https://other.example.\n',
    )
  })

  test('one that is damaged, before anything is written', async () => {
    const directory = await backedUp()
    const path = join(directory, 'backup.gz')
    writeFileSync(path, readFileSync(path).subarray(0, -9))
    const fresh = { DATA_DIR: 'fresh' }
    const { code, stderr } = await command(directory, ['restore', 'backup.gz'], fresh)
    expect(code).toBe(1)
    expect(stderr).toBe('The backup backup.gz is cut off: its end is missing.\n')
    expect(readdirSync(join(directory, 'fresh'))).toEqual([])
  })
})

describe('a backup that is stopped leaves the one before', () => {
  test.for([
    {
      signal: 'SIGTERM',
      says: 'The backup was stopped; backup.gz is as it was before.\n',
      left: [],
    },
    // Who is killed cleans up nothing; a later backup does.
    { signal: 'SIGKILL', says: '', left: [expect.stringMatching(/^backup\.gz\..*\.part$/)] },
  ] as const)('by $signal', async ({ signal, says, left }) => {
    const directory = await backedUp()
    const path = join(directory, 'backup.gz')
    const before = readFileSync(path)
    await storeIn(directory, async ({ documents }) => {
      for (let id = 0; id < 40; id += 1) {
        const value = Array.from({ length: 100_000 }, () => Math.random().toString(36)).join('')
        await documents.write([{ bucket: 'items', id: String(id), value }])
      }
    })
    const child = run(directory, ['backup', 'backup.gz'], settings)
    const parts = () => readdirSync(directory).filter((name) => name.endsWith('.part'))
    await vi.waitUntil(() => parts().length > 0, { timeout: 20_000, interval: 5 })
    child.kill(signal)
    const { code, stderr } = await resultOf(child)
    expect(code).not.toBe(0)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(stderr).toBe(says)
    expect(parts()).toEqual(left)
    expect((await command(directory, ['backup', 'backup.gz'])).code).toBe(0)
    expect((await checkBackup(path, 'x')).documents).toBe(41)
  })
})

/** What backups hold that were made while a process wrote on. */
async function backUpBeside(writer: readonly string[], directory: string, changes = {}) {
  const script = resolve(import.meta.dirname, '../support/store-writer.ts')
  const child = spawn(process.execPath, [script, ...writer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  killWithTest(child)
  const lines = createInterface(child.stdout)
  let told = 0
  lines.on('line', (line) => {
    told = Number(line)
  })
  await once(lines, 'line')
  const backups = []
  for (let round = 1; round <= 2; round += 1) {
    const toldBefore = told
    const result = await command(directory, ['backup', 'backup.gz'], changes)
    const items = await collected(backupItems(join(directory, 'backup.gz'), 'x'))
    const documents = items.flatMap((item) => ('value' in item ? [item] : []))
    const happenings = items.length - documents.length
    backups.push({ result, toldBefore, toldAfter: told, documents, happenings })
  }
  child.kill('SIGKILL')
  await once(child, 'close')
  return backups
}

/** What was written together is together, and whoever wrote was not held up. */
function expectOneMoment(backups: Awaited<ReturnType<typeof backUpBeside>>): void {
  for (const { result, toldBefore, toldAfter, documents, happenings } of backups) {
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(toldAfter).toBeGreaterThan(toldBefore)
    const [items, ledger, state] = ['items', 'ledgers', 'states'].map((name) =>
      documents.find(({ bucket }) => bucket === name),
    )
    const version = Number(state?.value)
    expect(version).toBeGreaterThanOrEqual(toldBefore)
    expect(state?.revision).toBe(version)
    expect(items?.value === `${version} `.repeat(20_000)).toBe(true)
    expect(ledger?.value === `${version} `.repeat(2_000)).toBe(true)
    // It happens after its documents are written.
    expect([version - 1, version]).toContain(happenings)
  }
}

test('beside a process that goes on writing to SQLite each backup is of one moment', async () => {
  const directory = place()
  mkdirSync(join(directory, 'data'), { mode: 0o700 })
  const backups = await backUpBeside([join(directory, 'data', `${site}.sqlite`)], directory)
  expect(backups).toHaveLength(2)
  expectOneMoment(backups)
})

describe.skipIf(redisIsMissing)('with Redis', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await startRedis()
    return () => redis[Symbol.asyncDispose]()
  })

  test('beside a process that goes on writing each backup is of one moment', async () => {
    const backups = await backUpBeside([redis.url, site], place(), { REDIS_URL: redis.url })
    expect(backups).toHaveLength(2)
    expectOneMoment(backups)
  })

  test('a store that is not empty, or in use, is refused there too', async () => {
    const directory = await backedUp()
    const changes = { REDIS_URL: redis.url }
    const atRedis = { url: redis.url, name: site, now: Date.now }
    await using store = await openRedisStore(atRedis)
    await store.documents.write([note])
    expect((await command(directory, ['restore', 'backup.gz'], changes)).stderr).toMatch(
      /^The store is not empty \(\d+ documents\)/,
    )
    await createReplicas(store.documents, { id: 'one', now: Date.now }).beat()
    const running = await command(directory, ['restore', 'backup.gz', '--replace'], changes)
    expect(running.stderr).toMatch(/^Feedhouse is running on this store/)
  })

  test('a running service moves from SQLite to Redis and back, and nobody notices', async () => {
    const website = { calls: 0 }
    await using sandbox = await createSandbox({
      datasetOn(today) {
        website.calls += 1
        return sampleDatasetOn(today)
      },
    })
    const directory = place()
    const environment = {
      ...settingsFor(sandbox),
      PUBLIC_URL: 'https://feeds.cedarhollow.example',
      PUBLIC_FEEDS: 'events,news,calendar',
    }
    const paths = ['events.ics', 'calendar.ics', 'news.atom']
    const start = async (changes: Record<string, string>) => {
      const service = run(directory, ['serve'], { ...environment, ...changes })
      const lines: string[] = []
      service.stderr.on('data', (chunk) => lines.push(String(chunk)))
      await outputUntil(service, /Stop with/)
      const url = await vi.waitUntil(
        () => /"url":"(http:\/\/127[^"]+)"/.exec(lines.join(''))?.[1],
        5_000,
      )
      await vi.waitUntil(async () => (await fetch(`${url}/readyz`)).status === 200, 15_000)
      const texts = await Promise.all(
        paths.map(async (path) => (await fetch(`${url}/${path}`)).text()),
      )
      const { budget } = (await (await fetch(`${url}/status`)).json()) as Status
      const stop = async () => {
        service.kill('SIGINT')
        await once(service, 'close')
      }
      return { url, texts, used: budget.day.used, stop }
    }
    const execute = async (args: readonly string[], changes: Record<string, string>) => {
      const result = await resultOf(run(directory, args, { ...environment, ...changes }))
      expect(result).toMatchObject({ code: 0, stderr: '' })
      return result.stdout
    }
    const stores = {
      first: { DATA_DIR: 'first' },
      redis: { DATA_DIR: 'none', REDIS_URL: redis.url },
      second: { DATA_DIR: 'second' },
    }
    const before = await start(stores.first)
    const { calls } = website
    const added = JSON.parse(
      await execute(
        ['link', 'add', '--label', 'Crew', '--feeds', 'events', '--json'],
        stores.first,
      ),
    )
    await execute(['backup', 'backup.gz'], stores.first)
    await before.stop()
    await execute(['restore', 'backup.gz'], stores.redis)
    const inRedis = await start(stores.redis)
    expect(inRedis.texts).toEqual(before.texts)
    await execute(['link', 'revoke', added.id], stores.redis)
    await execute(['backup', 'again.gz'], stores.redis)
    await inRedis.stop()
    await execute(['restore', 'again.gz'], stores.second)
    const after = await start(stores.second)
    expect(after.texts).toEqual(before.texts)
    expect(after.used).toBeGreaterThanOrEqual(before.used)
    const key = new URL(added.url).pathname
    expect(await (await fetch(`${after.url}${key}events.ics`)).text()).toContain('withdrawn')
    await after.stop()
    expect(website.calls).toBe(calls)
    await execute(['restore', 'backup.gz', '--replace'], stores.second)
    const listed = JSON.parse(await execute(['link', 'list', '--json'], stores.second))
    expect(listed).toMatchObject({ id: added.id, revokedAt: expect.stringMatching(/^\d{4}-/) })
  })
})
