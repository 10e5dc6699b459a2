import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import { outputUntil } from './support/command-line.ts'
import { blocksOf, commandsOf, documentOf, documents, root } from './support/documentation.ts'
import {
  besideSeveralSites,
  besideTheDemo,
  besideTheSandbox,
  demoStart,
  elsewhere,
  notRun,
  privateDemoStart,
  run,
  sandboxStart,
  toRedis,
} from './support/documented-commands.ts'
import { expectedOf, resultsOf } from './support/documented-results.ts'
import { emptyRedisDatabase, redisIsMissing } from './support/redis.ts'
import { settingsFor } from './support/sandbox.ts'
import { openShell, type Shell } from './support/shell.ts'

/*
 * Every command of README.md, CONTRIBUTING.md and docs/ is run: by this test, to the letter but for
 * ports, tokens and ids, or by another one.
 */

/** Each command starts npm and Node anew, on a machine that is busy. */
const slow = 180_000

const written = documents.flatMap(({ file, text }) =>
  commandsOf(text).map((command) => ({ file, command })),
)

const isNotRun = (command: string) =>
  notRun.some(({ command: known }) => known.exec(command)?.[0] === command)

test('every command that is written is run', () => {
  const known = new Set([...run, ...elsewhere.map(({ command }) => command)])
  expect(written.length).toBeGreaterThan(25)
  const missing = written.filter(({ command }) => !known.has(command) && !isNotRun(command))
  expect(missing).toEqual([])
})

test('no row is of a command that is not written any more', () => {
  const commands = written.map(({ command }) => command)
  const rows = [...run, ...elsewhere.map(({ command }) => command)]
  expect(rows.filter((command) => !commands.includes(command))).toEqual([])
  const unused = notRun.filter(({ command }) => !commands.some((each) => command.test(each)))
  expect(unused).toEqual([])
})

test.for(elsewhere)('$command is run by $file', ({ file, text }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(text)
})

test('commands stand in blocks that are marked as sh', () => {
  const languages = documents.flatMap(({ text }) => blocksOf(text).map(({ language }) => language))
  expect(languages).toContain('sh')
  expect(languages.filter((language) => /^(?:bash|console|shell|zsh)$/.test(language))).toEqual([])
})

/** Starts the demo on any port. Resolves to its address. */
async function startDemo(shell: Shell, command: string): Promise<string> {
  const child = shell.start(command.replace('npm ci && ', ''))
  const output = await outputUntil(child, /Stop with Ctrl\+C/)
  return new URL(/http:\S+/.exec(output)?.[0] ?? '').origin
}

test(
  'the demo and the commands beside it do what they are said to',
  { timeout: slow },
  async () => {
    await using shell = openShell({ PORT: '0' })
    const url = await startDemo(shell, demoStart)
    await fetch(`${url}/events.ics`)
    const [added] = await shell.run([
      'npx node src/main.ts link add --label "Of the example" --json',
    ])
    const { id } = JSON.parse(added?.out ?? '')
    const changes = { 'http://127.0.0.1:8080': url, 'https://feeds.example.org': url, abcdefgh: id }
    expect(await resultsOf(besideTheDemo, shell, changes)).toEqual(expectedOf(besideTheDemo))
  },
)

test('a demo with private feeds has an admin page', { timeout: slow }, async () => {
  await using shell = openShell({ PORT: '0' })
  const url = await startDemo(shell, privateDemoStart)
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  expect(await Promise.all(['/events.ics', '/calendar.ics', '/admin'].map(statusOf))).toEqual([
    200, 403, 200,
  ])
})

const isWithoutJq = process.env['CI'] === undefined && spawnSync('jq', ['--version']).status !== 0

if (isWithoutJq) process.stderr.write('The walk of docs/sandbox.md is skipped: install jq.\n')

test.skipIf(isWithoutJq)(
  'the sandbox and the commands beside it do what they are said to',
  { timeout: slow },
  async () => {
    await using shell = openShell()
    const sandbox = shell.start(sandboxStart.replace('8443', '0'))
    const { url, caFile, projects } = JSON.parse(await outputUntil(sandbox, /\n/))
    const settings = blocksOf(documentOf('docs/sandbox.md')).find(({ lines }) =>
      lines[0]?.startsWith('SITE_URL='),
    )
    const environment = (settings?.lines ?? [])
      .join('\n')
      .replace('https://localhost:8443', url)
      .replace('the refreshToken', projects[0].refreshToken)
      .replace('the caFile', caFile)
    writeFileSync(join(shell.directory, '.env'), environment)
    const redisUrl = redisIsMissing ? '' : await emptyRedisDatabase()
    const changes = { 'https://localhost:8443': url, 'redis://localhost:6379': redisUrl }
    const steps = besideTheSandbox.filter(({ command }) => !redisIsMissing || command !== toRedis)
    expect(await resultsOf(steps, shell, changes)).toEqual(expectedOf(steps))
    const written = (file: string) => readFileSync(join(shell.directory, file), 'utf8')
    expect(written('members.ics')).toContain('BEGIN:VALARM')
    expect(written('web/events.ics')).toContain('BEGIN:VEVENT')
  },
)

test('commands name one of the sites of docs/sites.md', { timeout: slow }, async () => {
  await using sandbox = await createSandbox()
  await using shell = openShell({ SITES_FILE: 'sites.json' })
  const { SITE_URL, SITE_REFRESH_TOKEN, SITE_CA_FILE } = settingsFor(sandbox)
  const block = blocksOf(documentOf('docs/sites.md')).find(({ language }) => language === 'json')
  const sites = JSON.parse((block?.lines ?? []).join('\n'))
  Object.assign(sites.ashton, { SITE_URL, SITE_CA_FILE, SITE_TIME_ZONE: sandbox.timeZone })
  const files = {
    'sites.json': JSON.stringify(sites),
    'ashton.token': SITE_REFRESH_TOKEN,
    'milbrook.token': 'x',
    'milbrook.password': 'correct horse battery',
  }
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(shell.directory, file), text)
  }
  const results = await resultsOf(besideSeveralSites, shell, {})
  expect(results).toEqual(expectedOf(besideSeveralSites))
})
