import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/command-line.ts'
import { waitFor } from '../support/wait-for.ts'
import { startWebsite } from '../support/website.ts'

test('writes files to a directory, and later rewrites only the files that changed', async () => {
  const { directory, command, environment } = await startWebsite()
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
  const { directory, environment } = await startWebsite()
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
