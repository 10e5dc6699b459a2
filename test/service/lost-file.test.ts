import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adminEnvironment, createAdmin, revisionIn } from '../support/admin.ts'
import { startTestService, testDirectory, type TestService } from '../support/service.ts'
import { atTestEnd } from '../support/test-end.ts'

const pollMs = 2_000

async function startIn(dataDirectory: string) {
  const service = await startTestService({ environment: adminEnvironment, dataDirectory })
  atTestEnd(() => service[Symbol.asyncDispose]())
  return service
}

/** Makes all feeds but the news private. */
async function chooseNews(service: TestService) {
  const session = await createAdmin(service.url).signIn()
  const page = await session.see('/admin/settings')
  const empty = { name: '', place: '', color: '', language: '', logo: '', places: '', fresh: '' }
  const chosen = { ...empty, feeds: 'some', feed: 'news', revision: revisionIn(page) }
  expect((await session.submit('/admin/settings', chosen)).status).toBe(303)
}

const statusesOf = async ({ get }: TestService) => [
  (await get('/events.ics')).status,
  (await get('/news.rss')).status,
]

/** Starts a service whose admin has made all feeds but the news private. */
async function startPrivateSite() {
  const directory = testDirectory()
  const file = join(directory, 'www.example.org.sqlite')
  const service = await startIn(directory)
  await chooseNews(service)
  const { pathname: linkPath } = new URL(await service.addLink({}))
  expect(await statusesOf(service)).toEqual([403, 200])
  return { directory, file, service, linkPath }
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

test('no feed is public if the file is deleted before a start', async () => {
  const { directory, file, service } = await startPrivateSite()
  await service[Symbol.asyncDispose]()
  remove(file)
  const closed = await startIn(directory)
  expect(await statusesOf(closed)).toEqual([403, 403])
  expect(closed.lines.join('')).toContain('the stored settings are lost')
  const { text } = await closed.get('/status')
  expect(text).toContain('The SQLite file was missing, replaced or outdated')
  expect(text).toContain('Therefore, no feed is public. Restore a backup, or check the settings')
  await closed[Symbol.asyncDispose]()
  const restarted = await startIn(directory)
  expect(await statusesOf(restarted)).toEqual([403, 403])
  await chooseNews(restarted)
  expect(await statusesOf(restarted)).toEqual([403, 200])
  expect((await restarted.get('/status')).text).not.toContain('The SQLite file')
})

test('everything remains if the file is deleted while the service runs', async () => {
  const { directory, file, service, linkPath } = await startPrivateSite()
  remove(file)
  const later = new URL(await service.addLink({})).pathname
  await service.clock.advance(pollMs)
  expect(existsSync(file)).toBe(true)
  expect((await service.status()).sentences.join()).toContain(
    'The SQLite file was moved or deleted',
  )
  expect(service.lines.join('')).toContain('the store has lost documents, which were written back')
  await service[Symbol.asyncDispose]()
  const restarted = await startIn(directory)
  expect(await statusesOf(restarted)).toEqual([403, 200])
  for (const path of [linkPath, later]) {
    expect((await restarted.get(`${path}events.ics`)).status).toBe(200)
  }
})

test('no change succeeds while the directory is gone', async () => {
  const { directory, service } = await startPrivateSite()
  renameSync(directory, `${directory}-away`)
  atTestEnd(() => rmSync(`${directory}-away`, { recursive: true, force: true }))
  await service.clock.advance(pollMs)
  await expect(service.addLink({})).rejects.toThrow('was moved or deleted while Feedhouse')
  await service.clock.advance(pollMs)
  expect(await statusesOf(service)).toEqual([403, 200])
  expect((await service.get('/status')).text).toContain('The store is currently unavailable')
  expect((await service.get('/readyz')).text).toContain('The store is currently unavailable')
  mkdirSync(directory, { recursive: true })
  await service.clock.advance(pollMs)
  expect(existsSync(join(directory, 'www.example.org.sqlite'))).toBe(true)
  await service.addLink({})
})
