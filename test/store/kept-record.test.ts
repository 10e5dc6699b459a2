import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeAfterLoss } from '../../src/app/lost-documents.ts'
import { stateOf } from '../../src/links/feed-link.ts'
import { editLink, revokeLink } from '../../src/links/link-edits.ts'
import { addLink, storedLinks } from '../../src/links/stored-links.ts'
import { createLogger } from '../../src/log.ts'
import { keptRecordFile, openKeptRecord } from '../../src/store/kept-record.ts'
import { connectToRedis } from '../../src/store/redis/redis-connection.ts'
import { createKeptMemory } from '../../src/store/redis/known-buckets.ts'
import { redisStoreOver } from '../../src/store/redis/redis-store.ts'
import { createSettingsRecorder } from '../../src/store/redis/settings-recorder.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { redisCommand } from '../support/redis-cluster.ts'
import { startRedis } from '../support/redis-server.ts'
import { redisIsMissing } from '../support/redis.ts'
import { testDirectory } from '../support/service.ts'

const name = 'example.org'
const settings = { bucket: 'settings', id: 'site' }
const saved = (value: string) => [{ ...settings, value }]
const keyOf = (bucket: string) => `feedhouse:${name}:documents:${bucket}`

async function emptyRedis() {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const connection = await connectToRedis({ url: redis.url })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const run = (...args: string[]) => redisCommand(redis, ...args)
  return {
    run,
    /** Creates a host, with a data directory of its own. */
    createHost: () => {
      const directory = testDirectory()
      return {
        /** Records the state of the settings without serving the site. */
        follow: () => createSettingsRecorder(connection, directory)([name]),
        /** Starts to serve the site. */
        async open() {
          const memory = createKeptMemory(openKeptRecord(keptRecordFile(directory, name)))
          const store = await redisStoreOver(connection, name, Date.now, memory)
          await store.keep?.()
          return store
        },
      }
    },
    /** Returns a function that reverts a bucket to its present state. */
    snapshot: async (bucket = 'settings') => {
      const key = keyOf(bucket)
      const fields = Object.entries((await run('HGETALL', key)) as Record<string, string>)
      return async () => {
        await run('DEL', key)
        await run('HSET', key, ...fields.flat())
      }
    },
  }
}

describe.skipIf(redisIsMissing)('a host that has not served a site', () => {
  test('notices earlier settings, and no other host does once they have been accepted', async () => {
    const { createHost, snapshot } = await emptyRedis()
    const [owner, other] = [createHost(), createHost()]
    const store = await owner.open()
    await store.documents.write(saved('public'))
    const revert = await snapshot()
    for (const value of ['public', 'private']) await store.documents.write(saved(value))
    for (const host of [owner, other]) await host.follow()
    await revert()
    await other.follow()
    const closed = await other.open()
    expect(closed.lost?.()).toEqual(['settings'])
    const lines: string[] = []
    const log = createLogger('error', { write: (line) => lines.push(line) })
    await closeAfterLoss(closed, { clock: createFakeClock(), log, random: Math.random })
    expect(lines.join()).toContain('the stored settings are lost')
    expect(closed.lost?.()).toEqual([])
    const { value = '' } = (await (await owner.open()).documents.get('settings', 'site')) ?? {}
    expect(JSON.parse(value)).toMatchObject({ publicFeeds: [], isLost: true })
    expect((await owner.open()).lost?.()).toEqual([])
  })

  test('notices settings from before Redis was emptied', async () => {
    const { run, createHost, snapshot } = await emptyRedis()
    const [owner, other] = [createHost(), createHost()]
    const store = await owner.open()
    for (const value of ['public', 'public', 'public']) await store.documents.write(saved(value))
    const revert = await snapshot()
    await run('FLUSHALL')
    await (await createHost().open()).documents.write(saved('private'))
    await other.follow()
    await revert()
    expect((await other.open()).lost?.()).toEqual(['settings'])
  })

  test('serves the site once a process that remembers the settings has written them back', async () => {
    const { createHost, snapshot } = await emptyRedis()
    const [owner, other] = [createHost(), createHost()]
    const store = await owner.open()
    await store.documents.write(saved('public'))
    const revert = await snapshot()
    await store.documents.write(saved('private'))
    await other.follow()
    await revert()
    const opened = await other.open()
    expect(opened.lost?.()).toEqual(['settings'])
    await store.keep?.()
    await opened.keep?.()
    expect(opened.lost?.()).toEqual([])
    expect((await opened.documents.get('settings', 'site'))?.value).toBe('private')
    await other.follow()
    expect((await other.open()).lost?.()).toEqual([])
  })

  test('does not take the write of a command for the lost settings', async () => {
    const { run, createHost } = await emptyRedis()
    const [owner, other, command] = [createHost(), createHost(), createHost()]
    await (await owner.open()).documents.write(saved('private'))
    for (const host of [other, command]) await host.follow()
    await run('FLUSHALL')
    await (await command.open()).documents.write(saved('{}'))
    expect((await other.open()).lost?.()).toEqual(['settings'])
  })

  test('pauses the links whose latest changes are lost', async () => {
    const { createHost, snapshot } = await emptyRedis()
    const [owner, other] = [createHost(), createHost()]
    const { documents } = await owner.open()
    const change = { now: Date.now(), random: randomBytes }
    const wish = { feedIds: undefined, profile: 'full', expiresAt: undefined } as const
    const idOf = async (label: string) => {
      const added = await addLink(documents, { ...wish, label }, change)
      return added.ok ? added.link.id : ''
    }
    const [revoked, limited] = [await idOf('Revoked'), await idOf('Limited')]
    await idOf('Unchanged')
    const revert = await snapshot('links')
    await revokeLink(documents, revoked, change)
    await editLink(documents, limited, { profile: 'members' }, change)
    await other.follow()
    await revert()
    const opened = await other.open()
    expect(opened.lost?.()).toEqual(['links'])
    const lines: string[] = []
    const log = createLogger('error', { write: (line) => lines.push(line) })
    await closeAfterLoss(opened, { clock: createFakeClock(), log, random: Math.random })
    expect(lines.join()).toContain('the latest changes to these feed links are lost')
    const states = (await storedLinks(opened.documents)).map((link) => {
      return `${link.label}: ${stateOf(link, Date.now())}`
    })
    expect(states.toSorted()).toEqual(['Limited: paused', 'Revoked: paused', 'Unchanged: open'])
    for (const host of [owner, other]) expect((await host.open()).lost?.()).toEqual([])
  })
})
