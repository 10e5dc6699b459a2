import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { createManager } from '../../support/manager.ts'
import { failure, rejected, startSandbox } from '../../support/sandbox.ts'
import { temporaryDirectory, testDirectory } from '../../support/service.ts'

test('keeps the state in the data directory, even of a sandbox that is killed', async () => {
  const options = { dataDirectory: testDirectory(), callsPerMinute: 4 }
  const first = await startSandbox(options)
  const manager = await createManager(first.sandbox)
  const { id, refreshToken } = await manager.addProject('Screens')
  await manager.setProject(1, { endpoints: ['news'] })
  const { body: token } = await first.refresh()
  const authorization = `Bearer ${token.access_token}`
  await first.call('GET', '/apps/api/news/', authorization)
  const authority = readFileSync(first.sandbox.caFile, 'utf8')
  // The first sandbox is not stopped, so it saves nothing at the end.

  const second = await startSandbox(options)
  expect(second.sandbox.projects).toEqual([
    { id: 1, name: 'demo' },
    { id, name: 'Screens' },
  ])
  expect(readFileSync(second.sandbox.caFile, 'utf8')).toBe(authority)
  const news = () => second.call('GET', '/apps/api/news/', authorization)
  expect((await news()).status).toBe(200)
  expect((await second.call('GET', '/apps/api/events/', authorization)).body.code).toBe(
    'endpoint_not_allowed',
  )
  expect((await second.refresh(first.refreshToken)).status).toBe(200)
  expect((await news()).body.code).toBe('rate_limited')
  expect((await second.refresh(refreshToken)).body.project).toBe('Screens')
  const { html } = await (await createManager(second.sandbox)).visit('/manage/api/1/statistics/')
  expect(html).toContain('6 calls in the last 90 days')
})

test('keeps a block across a restart', async () => {
  using directory = temporaryDirectory()
  const first = await startSandbox({ dataDirectory: directory.path })
  for (let failures = 0; failures < 6; failures += 1) await first.refresh('wrong')
  await first.sandbox[Symbol.asyncDispose]()
  const second = await startSandbox({ dataDirectory: directory.path })
  for (let failures = 0; failures < 4; failures += 1) await second.refresh('wrong')
  await second.sandbox[Symbol.asyncDispose]()
  const third = await startSandbox({ dataDirectory: directory.path })
  expect((await third.refresh(first.refreshToken)).body.code).toBe('too_many_failures')
})

test('responds with a specified error if the state is unusable', async () => {
  using directory = temporaryDirectory()
  const reported: unknown[] = []
  const { get } = await startSandbox({
    dataDirectory: directory.path,
    report: (error) => void reported.push(error),
  })
  await get('/apps/api/news/')
  const state = new DatabaseSync(join(directory.path, 'sandbox.sqlite'))
  state.exec('DROP TABLE calls')
  expect((await get('/apps/api/news/')).status).toBe(200)
  expect(reported).toEqual([expect.objectContaining({ message: 'no such table: calls' })])
  state.exec('DROP TABLE tokens')
  state.close()
  expect(await get('/apps/api/news/')).toEqual(rejected(500, 'server_error'))
})

test('deletes state that no limit needs anymore', async () => {
  using directory = temporaryDirectory()
  const { refresh, clock } = await startSandbox({ dataDirectory: directory.path })
  for (let calls = 0; calls < 3; calls += 1) {
    await refresh()
    await refresh('wrong')
  }
  await clock.advance(86_400_000)
  await refresh()
  await refresh('wrong')
  const state = new DatabaseSync(join(directory.path, 'sandbox.sqlite'))
  const count = (table: string) => state.prepare(`SELECT count(*) AS rows FROM ${table}`).get()
  expect(count('throttled_calls')).toEqual({ rows: 1 })
  expect(count('failed_token_requests')).toEqual({ rows: 1 })
  state.close()
})

test('keeps the latest hundred thousand calls without a project', async () => {
  using directory = temporaryDirectory()
  const { call, clock, get } = await startSandbox({ dataDirectory: directory.path })
  await get('/apps/api/news/')
  const state = new DatabaseSync(join(directory.path, 'sandbox.sqlite'))
  state.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100100)
    INSERT INTO calls (at, day, endpoint, status, code, address)
    SELECT ${clock.now()}, '2026-03-05', '', 401, 'token_missing', '127.0.0.1' FROM n`)
  await clock.advance(3_600_000)
  await call('GET', '/apps/api/news/')
  const count = (where: string) =>
    state.prepare(`SELECT count(*) AS rows FROM calls WHERE project_id IS ${where}`).get()
  expect(count('NULL')).toEqual({ rows: 100_001 })
  expect(count('1')).toEqual({ rows: 2 })
  state.close()
})

test('responds with a specified error while another process is writing', async () => {
  using directory = temporaryDirectory()
  const { get, send } = await startSandbox({
    dataDirectory: directory.path,
    report: () => undefined,
  })
  await get('/apps/api/news/')
  const other = new DatabaseSync(join(directory.path, 'sandbox.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  expect((await get('/apps/api/news/')).body).toEqual(failure(500, 'server_error'))
  expect((await send('GET nothing\r\n\r\n')).status).toBe(400)
  other.exec('ROLLBACK')
  other.close()
  expect((await get('/apps/api/news/')).status).toBe(200)
})

test('does not count a token request that fails because the state is unusable', async () => {
  using directory = temporaryDirectory()
  const { refresh } = await startSandbox({ dataDirectory: directory.path, report: () => undefined })
  const state = new DatabaseSync(join(directory.path, 'sandbox.sqlite'))
  state.exec('PRAGMA foreign_keys = OFF; DROP TABLE projects')
  expect((await refresh()).body).toEqual(failure(500, 'server_error'))
  expect(state.prepare('SELECT count(*) AS rows FROM failed_token_requests').get()).toEqual({
    rows: 0,
  })
  state.close()
})

test('does not store any token secrets', async () => {
  using directory = temporaryDirectory()
  const { refresh, refreshToken, sandbox } = await startSandbox({ dataDirectory: directory.path })
  const token: string = (await refresh()).body.access_token
  const files = readdirSync(directory.path).map((name) => readFileSync(join(directory.path, name)))
  expect(files.some((file) => file.includes(token.slice(0, 12)))).toBe(true)
  for (const secret of [token, refreshToken, sandbox.manager.password]) {
    expect(files.some((file) => file.includes(secret.slice(12)))).toBe(false)
  }
})

test('creates a directory that only its owner can access', async () => {
  const dataDirectory = join(testDirectory(), 'new')
  await startSandbox({ dataDirectory })
  expect(statSync(dataDirectory).mode & 0o777).toBe(0o700)
})

test('rejects a file that is not a database with a one-line message', async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, 'sandbox.sqlite')
  writeFileSync(file, 'this is a text and not a database at all')
  await expect(createSandbox({ dataDirectory: directory.path })).rejects.toThrow(
    `The sandbox's state ${file} cannot be used: file is not a database.`,
  )
  await expect(createSandbox({ dataDirectory: file })).rejects.toThrow('cannot be used')
})

test('leaves state from a newer version unchanged', async () => {
  using directory = temporaryDirectory()
  const newer = new DatabaseSync(join(directory.path, 'sandbox.sqlite'))
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  await expect(createSandbox({ dataDirectory: directory.path })).rejects.toThrow(
    'written by a newer version',
  )
})
