import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resultOf, run } from '../support/command-line.ts'
import { testDirectory } from '../support/service.ts'

const ashton = {
  SITE_URL: 'https://www.ashton.example',
  SITE_REFRESH_TOKEN: 'ashton-token',
  SITE_TIME_ZONE: 'America/Chicago',
  PUBLIC_URL: 'https://feeds.ashton.example',
}

const milbrook = [
  'SITE_URL=https://www.milbrook.example',
  'SITE_REFRESH_TOKEN_FILE=milbrook.token',
  'SITE_TIME_ZONE=America/New_York',
  'PUBLIC_URL=https://feeds.example.org/milbrook',
]

/** A sites file, and a function that runs the `site` command with it. */
function sitesFile(text?: string) {
  const directory = testDirectory()
  mkdirSync(join(directory, 'etc'))
  const file = join(directory, 'etc/sites.json')
  writeFileSync(join(directory, 'etc/milbrook.token'), 'milbrook-token\n')
  if (text !== undefined) writeFileSync(file, text)
  const command = (...args: readonly string[]) =>
    resultOf(run(directory, args, { SITES_FILE: 'etc/sites.json' }))
  const site = (...args: readonly string[]) => command('site', ...args)
  return { directory, file, command, site, text: () => readFileSync(file, 'utf8') }
}

describe('site add', () => {
  test('suggests the next command for the platform', async () => {
    const { directory } = sitesFile(JSON.stringify({ ashton }))
    const environment = { SITES_FILE: 'etc/sites.json', FEEDHOUSE_PLATFORM: 'systemd' }
    const { stdout } = await resultOf(
      run(directory, ['site', 'add', 'milbrook', ...milbrook], environment),
    )
    expect(stdout).toMatch(/Next: sudo feedhouse check --site milbrook\n$/)
  })

  test('adds a site, and keeps the order, indentation and mode of the file', async () => {
    const { file, site, text } = sitesFile(JSON.stringify({ ashton }, undefined, '\t'))
    chmodSync(file, 0o640)
    const { code, stdout, stderr } = await site('add', 'milbrook', ...milbrook)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      'Added milbrook, at https://feeds.example.org/milbrook/. Next: npx feedhouse check --site milbrook\n',
    )
    const settings = Object.fromEntries(milbrook.map((each) => each.split('=')))
    expect(text()).toBe(`${JSON.stringify({ ashton, milbrook: settings }, undefined, '\t')}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(join(file, '..')).toSorted()).toEqual(['milbrook.token', 'sites.json'])
  })

  test('creates the file for the first site, readable only by its owner', async () => {
    const { file, site } = sitesFile()
    expect((await site('check')).stderr).toMatch(/^etc\/sites\.json does not exist\./)
    expect((await site('add', 'milbrook', ...milbrook)).code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  const text = JSON.stringify({ ashton })
  test.for<[name: string, stderr: RegExp, args: readonly string[], before?: string]>([
    ['a setting is missing', /^Site milbrook: PUBLIC_URL must be set\.\n$/, milbrook.slice(0, 3)],
    [
      'another site has the same URL',
      /PUBLIC_URL is already used by ashton/,
      [...milbrook.slice(0, 3), 'PUBLIC_URL=https://feeds.ashton.example'],
    ],
    [
      'a setting is misspelled',
      /Unknown setting SITE_NAMES; did you mean SITE_NAME\?/,
      [...milbrook, 'SITE_NAMES=x'],
    ],
    [
      'a secret is given',
      /^ADMIN_PASSWORD is a secret\. Put it into a file, and set ADMIN_PASSWORD_FILE\.\n$/,
      [...milbrook, 'ADMIN_PASSWORD=hunter2'],
    ],
    ['a setting has no value', /^Write each setting as/, ['hunter2']],
    ['the file is broken', /is not valid JSON/, milbrook, '{ "ashton": '],
  ])('leaves the file as it is if %s', async ([, stderr, args, before = text]) => {
    const file = sitesFile(before)
    const result = await file.site('add', 'milbrook', ...args)
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })
    expect(result.stderr).not.toContain('hunter2')
    expect(file.text()).toBe(before)
  })

  test('rejects a name that is already in use', async () => {
    const { site } = sitesFile(JSON.stringify({ ashton }))
    expect((await site('add', 'ashton', ...milbrook)).stderr).toBe(
      'There is already a site named ashton. To change it, edit etc/sites.json.\n',
    )
  })
})

test('removes a site, but not the last one', async () => {
  const { site, text } = sitesFile(JSON.stringify({ ashton }))
  await site('add', 'milbrook', ...milbrook)
  expect((await site('remove', 'dover')).stderr).toBe('Unknown site: dover. See site list.\n')
  expect((await site('remove', 'ashton')).stdout).toBe('Removed ashton. Its data is kept.\n')
  expect(Object.keys(JSON.parse(text()))).toEqual(['milbrook'])
  expect((await site('remove', 'milbrook')).stderr).toMatch(/^milbrook is the only site\./)
})

test('lists and checks the settings of all sites', async () => {
  const dover = { ...ashton, SITE_REFRESH_TOKEN: 'dover-token' }
  const { site } = sitesFile(JSON.stringify({ ashton, dover }))
  expect((await site('list')).stdout).toBe(
    'ashton  https://feeds.ashton.example/  https://www.ashton.example\n' +
      'dover  not served: Site dover: SITE_URL is already used by ashton. Site dover: PUBLIC_URL is already used by ashton.\n',
  )
  const { code, stdout } = await site('check', '--json')
  expect(code).toBe(1)
  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { name: 'ashton', ok: true },
    { name: 'dover', ok: false, faults: [expect.any(String), expect.any(String)] },
  ])
})

test('--all reports the faults of each site, and still runs for the others', async () => {
  const dover = { ...ashton, SITE_URL: 'https://dover.example', SITE_REFRESH_TOKEN: 'dover-token' }
  const { directory, command, site } = sitesFile(JSON.stringify({ ashton, dover }))
  await site('add', 'milbrook', ...milbrook)
  const link = ['link', 'add', '--site', 'milbrook', '--label', 'Crew', '--json']
  expect((await command(...link)).code).toBe(0)

  const listed = await command('link', 'list', '--all', '--json')
  expect(listed.code).toBe(1)
  expect(JSON.parse(listed.stdout)).toMatchObject({ siteName: 'milbrook', label: 'Crew' })
  expect(listed.stderr).toMatch(
    /^Site ashton: No data is stored for https:\/\/www\.ashton\.example/,
  )
  expect(listed.stderr).toContain('Site dover: PUBLIC_URL is already used by ashton.\n')

  const backup = await command('backup', '--all', 'backups')
  expect(backup.code).toBe(1)
  expect(backup.stdout).toContain(
    'Site milbrook (2 of 2):\nBacked up https://www.milbrook.example: ',
  )
  expect(readdirSync(join(directory, 'backups'))).toEqual(['milbrook.gz'])
  expect((await command('backup', '--all', '-')).stderr).toBe('--all requires a directory.\n')
  expect((await command('check', '--all', '--site', 'ashton')).stderr).toBe(
    '--all cannot be combined with --site.\n',
  )
})
