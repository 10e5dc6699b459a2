import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { idHostDocument } from '../../src/app/id-host.ts'
import { isOutOfService } from '../../src/app/out-of-service.ts'
import { followerBucket, followersVersionDocument } from '../../src/followers/followers.ts'
import { openStore } from '../../src/store/open-store.ts'
import { createReplicas } from '../../src/store/replicas.ts'
import type { Store } from '../../src/store/store.ts'
import { backedUp, command, note, settings, site, storeIn } from '../support/backups.ts'
import { resultOf, run } from '../support/command-line.ts'
import { testDirectory } from '../support/service.ts'
import { contentOf } from '../support/stored-items.ts'
import { waitUntil } from '../support/wait-for.ts'

/** Calls `work` with the store, a replica that runs on it, and a way to wait for the command. */
async function besideReplica(
  work: (directory: string, store: Store, leave: () => Promise<void>) => Promise<void>,
) {
  const directory = await backedUp()
  await storeIn(directory, async (store) => {
    await store.documents.write([{ ...note, value: 'second' }])
    const replicas = createReplicas(store.documents, { id: 'one', now: Date.now })
    await replicas.heartbeat()
    await work(directory, store, replicas.leave)
  })
}

const kept = (directory: string) => storeIn(directory, (store) => contentOf(store))

describe('restore rejects with a one-line message', () => {
  test('a non-empty store without --replace', async () => {
    const directory = await backedUp()
    const changed = { ...note, value: 'second' }
    await storeIn(directory, (store) => store.documents.write([changed]))
    expect(await command(directory, ['restore', 'backup.gz'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The store is not empty (1 documents). Use --replace to replace them with the backup.\n',
    })
    expect(await kept(directory)).toMatchObject([{ value: 'second' }])
    const { code, stdout } = await command(directory, ['restore', 'backup.gz', '--replace'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Restored backup of https:\/\/cedarhollow\.example taken \S+Z: 1 documents, 0 API calls\.\n$/,
    )
    expect(await kept(directory)).toMatchObject([{ value: 'first' }])
  })

  test('a backup made before the website moved, unless ID_HOST is set to the old host', async () => {
    const directory = await backedUp()
    const moved = { SITE_URL: 'https://www.cedarhollow.example', DATA_DIR: 'moved' }
    expect((await command(directory, ['restore', 'backup.gz'], moved)).stderr).toBe(
      `The backup backup.gz belongs to https://${site}, but SITE_URL is https://www.cedarhollow.example. If the website has moved, set ID_HOST=${site}.\n`,
    )
    const set = { ...moved, ID_HOST: site }
    expect((await command(directory, ['restore', 'backup.gz'], set)).code).toBe(0)
  })

  test('a backup whose ids have a different host from those in the store', async () => {
    const directory = await backedUp([{ ...idHostDocument, value: `"${site}"` }])
    await storeIn(directory, (store) =>
      store.documents.write([{ ...idHostDocument, value: '"first.example"' }]),
    )
    const restore = ['restore', 'backup.gz', '--replace']
    expect((await command(directory, restore)).stderr).toBe(
      `The backup backup.gz has ids with the host ${site}, but the ids in the store use first.example, and ids never change. Set ID_HOST=${site} if subscribers have entries from the time of the backup.\n`,
    )
    expect((await command(directory, restore, { ID_HOST: site })).code).toBe(0)
  })

  test.for(['', 'x', '1', '['.repeat(100_000) + ']'.repeat(100_000)])(
    'a backup whose host for ids is unreadable, before anything is written',
    async (value) => {
      const directory = await backedUp([{ ...idHostDocument, value }])
      expect(await command(directory, ['restore', 'backup.gz'], { DATA_DIR: 'fresh' })).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The backup backup.gz is damaged: its host for ids cannot be read.\n',
      })
      expect(existsSync(join(directory, 'fresh'))).toBe(false)
    },
  )

  test('a backup by a newer version whose name contains control characters', async () => {
    const directory = await backedUp()
    const head = {
      format: 'feedhouse backup',
      formatVersion: 99,
      feedhouse: '\u001b[31mEVIL\u001b]0;x\u0007',
    }
    writeFileSync(join(directory, 'backup.gz'), gzipSync(`${JSON.stringify(head)}\n`))
    expect((await command(directory, ['restore', 'backup.gz'])).stderr).toBe(
      'The backup backup.gz was made by a newer version of Feedhouse (\\u001b[31mEVIL\\u001b]0;x\\u0007); restore it with that version.\n',
    )
  })

  test('a damaged or missing backup, before anything is written', async () => {
    const directory = await backedUp()
    const path = join(directory, 'backup.gz')
    writeFileSync(path, readFileSync(path).subarray(0, -9))
    const restore = async (file: string) =>
      (await command(directory, ['restore', file], { DATA_DIR: 'fresh' })).stderr
    expect(await restore('backup.gz')).toBe(
      'The backup backup.gz is incomplete: its end is missing.\n',
    )
    expect(await restore('nowhere.gz')).toMatch(/nowhere\.gz does not exist\.\n$/)
    expect(existsSync(join(directory, 'fresh'))).toBe(false)
  })
})

test('restore brings back followers that the store has lost, even if others have followed since', async () => {
  const directory = testDirectory()
  const data = join(directory, 'data')
  const at = { directory: data, redisUrl: undefined, siteUrl: settings.SITE_URL, now: Date.now }
  const follow = async (id: string) => {
    await using store = await openStore(at)
    const changed = { ...followersVersionDocument, value: `${id} ${Date.now()} 0` }
    await store.documents.write([{ bucket: followerBucket, id, value: '{}' }, changed])
    await store.keep?.()
  }
  mkdirSync(data)
  await follow('before')
  expect((await command(directory, ['backup', 'backup.gz'])).code).toBe(0)
  for (const file of globSync('*.sqlite*', { cwd: data })) rmSync(join(data, file))
  await follow('since')
  const restored = await command(directory, ['restore', 'backup.gz', '--replace'])
  expect(restored.code).toBe(0)
  await using store = await openStore(at)
  const ids = [...(await store.documents.all(followerBucket)).keys()]
  expect(ids.toSorted()).toEqual(['before', 'since'])
})

describe('restore while Feedhouse runs', () => {
  const restoring = ['restore', 'backup.gz', '--replace']

  test('takes the site out of service, and restores once no replica serves it', () =>
    besideReplica(async (directory, store, leave) => {
      const restored = command(directory, restoring)
      await waitUntil(() => isOutOfService(store.documents))
      expect(await kept(directory)).toContainEqual(expect.objectContaining({ value: 'second' }))
      await leave()
      expect(await restored).toMatchObject({
        code: 0,
        stderr: 'Feedhouse is running. The site is out of service until the backup is restored.\n',
      })
      expect(await kept(directory)).toMatchObject([{ value: 'first' }])
    }))

  test('returns the site to service when it is interrupted', () =>
    besideReplica(async (directory, { documents }) => {
      const restore = run(directory, restoring, settings)
      await waitUntil(() => isOutOfService(documents))
      restore.kill('SIGINT')
      const { code, stderr } = await resultOf(restore)
      expect([code, stderr]).toEqual([1, expect.stringContaining('The store is unchanged.')])
      expect(await isOutOfService(documents)).toBe(false)
      expect(await documents.get(note.bucket, note.id)).toMatchObject({ value: 'second' })
    }))
})
