import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { idHostDocument, idHostOf } from '../../src/app/id-host.ts'
import { systemClock } from '../../src/clock.ts'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { followSecret } from '../../src/followers/follow-secret.ts'
import { createFollowers } from '../../src/followers/followers.ts'
import type { Store } from '../../src/store/store.ts'
import { backedUp, command, note, settings, site, storeIn } from '../support/backups.ts'
import { testDirectory } from '../support/service.ts'
import { contentOf } from '../support/stored-items.ts'

const kept = (directory: string) => storeIn(directory, (store) => contentOf(store))

const idHostIn = (directory: string) =>
  storeIn(directory, async ({ documents }) => {
    const stored = await documents.get(idHostDocument.bucket, idHostDocument.id)
    return stored && JSON.parse(stored.value)
  })

const deleteStore = (directory: string) => rmSync(join(directory, 'data'), { recursive: true })

const followersIn = (documents: Store['documents'], secret = '') =>
  createFollowers(documents, { keys: createFollowKeys(secret), clock: systemClock })

const addressesIn = (directory: string) =>
  storeIn(directory, async ({ documents }) => {
    const own = followSecret({ dataDirectory: join(directory, 'data') }, true)
    const followers = followersIn(documents, own)
    return (await followers.all()).map(followers.addressOf)
  })

describe('the identity of a site', () => {
  const old = 'old.example'
  const done = expect.objectContaining({ code: 0, stderr: '' })

  test('survives a backup, the loss of the store, a restore, and the same again', async () => {
    const directory = testDirectory()
    await storeIn(directory, ({ documents }) =>
      documents.write([note, { ...idHostDocument, value: `"${old}"` }]),
    )
    for (const file of ['first.gz', 'second.gz']) {
      expect(await command(directory, ['backup', file])).toEqual(done)
      deleteStore(directory)
      expect(await command(directory, ['restore', file])).toEqual(done)
      expect(await idHostIn(directory)).toBe(old)
    }
  })

  test('is in a backup of a store that was lost and filled again with ID_HOST', async () => {
    const directory = testDirectory()
    await storeIn(directory, ({ documents }) => documents.write([note]))
    expect(await command(directory, ['backup', 'backup.gz'], { ID_HOST: old })).toEqual(done)
    deleteStore(directory)
    expect(await command(directory, ['restore', 'backup.gz'])).toEqual(done)
    expect(await idHostIn(directory)).toBe(old)
  })

  test('is not backed up without the whole secret of followers', async () => {
    const directory = testDirectory()
    await storeIn(directory, ({ documents }) => documents.write([note]))
    writeFileSync(join(directory, 'data', 'mail.key'), 'part')
    const { code, stderr } = await command(directory, ['backup', 'backup.gz'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/mail\.key is incomplete\. [^\n]*\n$/),
    ])
    expect(stderr.split('\n')).toHaveLength(2)
  })

  test('can be restored into a store in which it is unreadable', async () => {
    const directory = await backedUp([{ ...idHostDocument, value: `"${site}"` }])
    await storeIn(directory, async (store) => {
      await store.documents.write([{ ...idHostDocument, value: 'x' }])
      const options = { siteUrl: settings.SITE_URL, idHost: undefined }
      await expect(idHostOf(store, options)).rejects.toThrow(
        'The host for ids in the store cannot be read, and ids never change. Restore a backup with --replace.',
      )
    })
    expect(await command(directory, ['restore', 'backup.gz', '--replace'])).toEqual(done)
    expect(await idHostIn(directory)).toBe(site)
  })

  test('is kept if the backup does not contain it', async () => {
    const directory = await backedUp()
    expect(
      await command(directory, ['restore', 'backup.gz', '--replace'], { ID_HOST: old }),
    ).toEqual(done)
    await storeIn(directory, ({ documents }) =>
      documents.write([{ ...idHostDocument, value: `"${old}"` }]),
    )
    expect(await command(directory, ['restore', 'backup.gz', '--replace'])).toEqual(done)
    expect(await idHostIn(directory)).toBe(old)
  })
})

describe('the addresses of followers', () => {
  const choice = { changes: true, tomorrow: false, emergency: false }
  const wish = { address: 'pat@example.org', choice, language: 'en' }

  /** Backs up a site with a follower, and copies the backup to a directory for another machine. */
  async function moved(secret?: string) {
    const [from, to] = [testDirectory(), testDirectory()]
    await storeIn(from, async ({ documents }) => {
      const own = followSecret({ mailKey: secret, dataDirectory: join(from, 'data') }, true)
      await followersIn(documents, own).confirm(wish)
    })
    const backup = await command(from, ['backup', 'backup.gz'])
    cpSync(join(from, 'backup.gz'), join(to, 'backup.gz'))
    return { to, backup: backup.stdout }
  }

  const restore = ['restore', 'backup.gz']
  const unreadable =
    'Warning: 1 followers in the backup cannot be reached, because their addresses were encrypted with another secret.'

  test('can be read on another machine, whose store does not contain the key', async () => {
    const { to, backup } = await moved()
    expect(backup).toContain("the access token and the key to followers' addresses")
    expect(await command(to, restore)).toMatchObject({ code: 0, stderr: '' })
    expect(await addressesIn(to)).toEqual([wish.address])
    const key = join(to, 'data', 'mail.key')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    const documents = await kept(to)
    expect(JSON.stringify(documents)).not.toContain(readFileSync(key, 'utf8').trim())
  })

  test('need the key of the backup, and another one is not overwritten', async () => {
    const { to } = await moved()
    const key = join(to, 'data', 'mail.key')
    mkdirSync(join(to, 'data'))
    const other = 'b'.repeat(43)
    writeFileSync(key, other)
    expect((await command(to, restore)).stderr).toBe(
      `${unreadable} Delete ${key} and restore the backup again with --replace, unless people have started to follow with that file.\n`,
    )
    expect(readFileSync(key, 'utf8')).toBe(other)
    rmSync(key)
    expect(await command(to, [...restore, '--replace'])).toMatchObject({ code: 0, stderr: '' })
    expect(await addressesIn(to)).toEqual([wish.address])
  })

  test.for([
    [
      'another MAIL_KEY',
      undefined,
      { MAIL_KEY: 'c'.repeat(43) },
      'Set MAIL_KEY to the secret in the line with "mail.key" in the backup.',
    ],
    ['no MAIL_KEY', 'a'.repeat(43), {}, 'Set MAIL_KEY to the secret from that time.'],
  ] as const)(
    'cannot be read with %s, and the warning says so',
    async ([, secret, changes, advice]) => {
      const { to } = await moved(secret)
      expect(await command(to, restore, changes)).toMatchObject({
        code: 0,
        stderr: `${unreadable} ${advice}\n`,
      })
    },
  )
})
