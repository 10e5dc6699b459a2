import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closedSettings, settingsDocument } from '../../src/config/stored-settings.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { run } from '../support/command-line.ts'
import { fewRecords } from '../support/few-records.ts'
import { waitFor } from '../support/wait-for.ts'
import { startWebsite } from '../support/website.ts'

test('writes files to a directory, and later rewrites only the files that changed', async () => {
  const { directory, command, environment } = await startWebsite(fewRecords)
  const without = await command('export', '--out', 'web')
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringMatching(/^PUBLIC_URL is not set\./),
  ])
  Object.assign(environment, { PUBLIC_URL: 'https://feeds.example.org', PUBLIC_FEEDS: 'events' })
  const unsafe = await command('export', '--out', '.')
  expect([unsafe.code, unsafe.stderr]).toEqual([
    1,
    expect.stringContaining('must not be published'),
  ])
  const first = await command('export', '--out', 'web', '--json')
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(JSON.parse(first.stdout)).toMatchObject({ unchanged: 0, removed: 0 })
  expect(readFileSync(join(directory, 'web/events.ics'), 'utf8')).toMatch(/^BEGIN:VCALENDAR/)
  const second = await command('export', '--out', 'web')
  expect(second.stdout).toMatch(/web: 0 files written, \d+ unchanged, 0 removed\.\n$/)
})

test('`export --watch` exits on SIGTERM', async () => {
  const { directory, environment } = await startWebsite(fewRecords)
  const settings = {
    ...environment,
    PUBLIC_URL: 'https://feeds.example.org',
    PUBLIC_FEEDS: 'news',
  }
  const command = run(directory, ['export', '--out', 'web', '--watch'], settings)
  await waitFor(() => expect(existsSync(join(directory, 'web/headers.json'))).toBe(true))
  command.kill('SIGTERM')
  expect(await command.exited).toBe(0)
})

/** Starts a website whose events and news are public, and returns functions for its stored settings. */
async function startWithSettings() {
  const website = await startWebsite(fewRecords)
  const { directory, environment } = website
  Object.assign(environment, {
    PUBLIC_URL: 'https://feeds.example.org',
    PUBLIC_FEEDS: 'events,news',
  })
  const storeFile = () => globSync(join(directory, 'data/[!_]*.sqlite')).join()
  const save = async (value: string) => {
    await using store = openSqliteStore(storeFile(), Date.now)
    await store.documents.write([{ ...settingsDocument, value }])
  }
  const exported = () => globSync('**/*', { cwd: join(directory, 'web') }).toSorted()
  const news = () => exported().filter((file) => /^news\b/.test(file))
  return { ...website, storeFile, save, exported, news }
}

const publicFeeds = (...ids: readonly string[]) => JSON.stringify({ publicFeeds: ids })

test('no command publishes a feed that an admin has made private', async () => {
  const { directory, command, save, exported, news } = await startWithSettings()
  await command('export', '--out', 'web')
  expect(news()).toContain('news.rss')
  await save(publicFeeds('events'))
  const { code, stderr } = await command('export', '--out', 'web')
  expect([code, stderr]).toEqual([
    0,
    'Warning: The public feeds are those saved on the admin page (events), not those in PUBLIC_FEEDS (events, news).\n',
  ])
  expect(news()).toEqual([])
  const texts = exported()
    .filter((file) => /\.(?:html|rss|json|xml)$/.test(file))
    .map((file) => readFileSync(join(directory, 'web', file), 'utf8'))
  expect(texts.filter((text) => text.includes('news.rss'))).toEqual([])
  const private_ = await command('render', 'news.rss')
  expect([private_.code, private_.stdout]).toEqual([1, ''])
  expect(private_.stderr).toContain(
    'The news feed was made private on the admin page. Add --profile members.',
  )
  expect((await command('render', 'digest.rss')).stdout).not.toContain('/news/')
  expect((await command('render', 'news.rss', '--profile', 'members')).stdout).toContain('<rss')
  expect((await command('check')).stdout).toContain('Feeds that anyone can read: events.\n')
  await save(publicFeeds('events', 'news'))
  expect((await command('export', '--out', 'web')).stderr).toBe('')
  expect(news()).toContain('news.rss')
})

test('publishes nothing if the saved settings are lost or damaged', async () => {
  const { directory, command, storeFile, save, exported } = await startWithSettings()
  expect((await command('render', 'news.rss')).code).toBe(0)
  const older = join(directory, 'older.sqlite')
  copyFileSync(storeFile(), older)
  const expectRefused = async (state: string) => {
    const commands = [
      ['export', '--out', 'web'],
      ['render', 'news.rss'],
      ['mail', 'preview'],
    ]
    for (const each of commands) {
      const { code, stdout, stderr } = await command(...each)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(
        `The settings saved on the admin page are ${state}, so it is unknown`,
      )
    }
    expect(exported()).toEqual([])
  }
  // A service has noticed the loss.
  await save(closedSettings(undefined))
  await expectRefused('lost')
  await save('{')
  await expectRefused('damaged')
  await save(publicFeeds('news'))
  expect((await command('render', 'news.rss')).code).toBe(0)
  copyFileSync(older, storeFile())
  await expectRefused('lost')
  const check = await command('check')
  expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('page are lost, so')])
  expect(check.stdout).not.toContain('Feeds that anyone can read')
})

test('`export --watch` removes a feed that an admin makes private, within seconds', async () => {
  const { directory, environment, save, news } = await startWithSettings()
  run(directory, ['export', '--out', 'web', '--watch'], environment)
  await waitFor(() => expect(existsSync(join(directory, 'web/headers.json'))).toBe(true))
  expect(news()).toContain('news.rss')
  await save(publicFeeds('events'))
  await waitFor(() => expect(news()).toEqual([]))
})
