import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputUntil } from './support/command-line.ts'
import { blocksOf, commandsOf, documentOf, documents, root } from './support/documentation.ts'
import { temporaryDirectory } from './support/service.ts'
import { openShell, type Shell } from './support/shell.ts'

/*
 * Every command of README.md, CONTRIBUTING.md and docs/ is run: by this test, to the letter but for
 * ports, tokens and ids, or by another one that is named here. A new one gets a row below.
 */

/** Each command starts npm and Node anew, on a machine that is busy. */
const slow = 180_000

/** A command as it is written, and what it must print. Each ends with 0. */
type Step = { readonly command: string; readonly prints: RegExp }

/** In a clone beside the demo. */
const besideTheDemo: readonly Step[] = [
  {
    command: 'curl -s http://127.0.0.1:8080/events.ics | head -40',
    prints: /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT/,
  },
  {
    command: "curl -s 'http://127.0.0.1:8080/rental.ics?past=0&future=14&alarm=30' | head -40",
    prints: /^BEGIN:VCALENDAR\r\n[^]*SUMMARY:Reserved/,
  },
  {
    command: 'curl -sI https://feeds.example.org/events.ics',
    prints: /^HTTP\/1\.1 200 [^]*\nLast-Modified: /,
  },
  {
    command: 'curl -s https://feeds.example.org/events.ics | grep -c BEGIN:VEVENT',
    prints: /^\d\d+\n/,
  },
  {
    command:
      'npx node src/main.ts link add --label "Hall screen" --feeds calendar,rental --profile full --expires 2027-06-30',
    prints: /^http:\S+\/l\/[a-z2-7]{32}\/\n[^]*Hall screen/,
  },
  {
    command: 'npx node src/main.ts link add --label "Crew, spring"',
    prints: /^http:\S+\/l\/[a-z2-7]{32}\/\n/,
  },
  {
    command: 'npx node src/main.ts link list',
    prints: /Crew, spring; members, all feeds[^]*Hall screen; full, calendar, rental/,
  },
  { command: 'npx node src/main.ts link revoke abcdefgh', prints: / is revoked\.\n/ },
]

const sandboxStart = 'npx node src/main.ts sandbox --https-port 8443 --data-dir sandbox-data'

const call = 'curl -s --cacert $CA -H "Authorization: Bearer $ACCESS"'

/** In a clone beside a sandbox. */
const besideTheSandbox: readonly Step[] = [
  { command: 'npx node src/main.ts check', prints: /(?:^ok .*\n){10}/m },
  { command: 'BASE=https://localhost:8443', prints: /^$/ },
  { command: 'CA=sandbox-data/ca.pem', prints: /^$/ },
  {
    command:
      'REFRESH=$(npx node src/main.ts sandbox project add --name walk --data-dir sandbox-data | jq -r .refreshToken)',
    prints: /^$/,
  },
  {
    command:
      'ACCESS=$(curl -s --cacert $CA -X POST -H "Authorization: Bearer $REFRESH" $BASE/apps/api/refresh/ | jq -r .access_token)',
    prints: /^$/,
  },
  { command: `${call} "$BASE/apps/api/calendar/?MaxRows=2" | jq`, prints: /"startRow": 1,/ },
  {
    command: `${call} "$BASE/apps/api/calendar/?MaxRows=2&StartRow=3" | jq`,
    prints: /"startRow": 3,/,
  },
  {
    command: `SHEET=$(${call} "$BASE/apps/api/signup/?All=1" | jq '.items[0].id')`,
    prints: /^$/,
  },
  { command: `${call} "$BASE/apps/api/signup/?ID=$SHEET" | jq`, prints: /"slots": \[/ },
  {
    command: 'curl -s --cacert $CA -H "Authorization: Bearer $REFRESH" $BASE/apps/api/news/',
    prints: /"code":"refresh_token_supplied"/,
  },
  { command: `${call} "$BASE/apps/api/news/?MaxRows=0"`, prints: /"code":"invalid_parameter"/ },
  {
    command:
      'for i in $(seq 31); do curl -s -o /dev/null -D - --cacert $CA -H "Authorization: Bearer $ACCESS" $BASE/apps/api/members/ | grep -i retry-after; done',
    prints: /^(?:Retry-After: \d+\r\n){4,8}$/i,
  },
  {
    command: 'npx node src/main.ts sandbox project list --data-dir sandbox-data',
    prints: /"name":"demo"[^]*"name":"walk"/,
  },
  {
    command:
      'npx node src/main.ts sandbox project add --name Screens --endpoints news,events --ips 127.0.0.1 --data-dir sandbox-data',
    prints: /"endpoints":\["news","events"\],"ips":\["127\.0\.0\.1"\]/,
  },
  {
    command: 'npx node src/main.ts sandbox project set 1 --status Disabled --data-dir sandbox-data',
    prints: /"status":"Disabled"/,
  },
  {
    command:
      'npx node src/main.ts sandbox project set 1 --status Enabled --endpoints all --ips any --data-dir sandbox-data',
    prints: /"status":"Enabled","endpoints":"all","ips":"any"/,
  },
  {
    command: 'npx node src/main.ts sandbox project regenerate 1 --data-dir sandbox-data',
    prints: /"refreshToken":"[\w-]{44}"/,
  },
]

const demoStart = 'npm ci && npm start'
const privateDemoStart = "PUBLIC_FEEDS=events,news ADMIN_PASSWORD='correct horse battery' npm start"

/** Commands that start what the tests below look at. */
const starts = [demoStart, privateDemoStart, sandboxStart]

/** What runs a command in place of this test: a text of that file, such as the title of the test. */
const elsewhere: readonly {
  readonly command: string
  readonly file: string
  readonly text: string
}[] = [
  { command: 'npm ci && npm test', file: '.ci/run', text: 'npm ci && npm test' },
  {
    command: 'npx node src/main.ts collections accept events',
    file: 'test/service/status.test.ts',
    text: 'a held collection is told, and published when the command says so',
  },
]

/** What no test can run, and why; the expression must match a whole command. */
const notRun: readonly { readonly command: RegExp; readonly reason: string }[] = [
  { command: /docker (?:build|run) .*/, reason: 'there is no Docker engine where tests run' },
  {
    command: /npm run bench -- (?:http|steady)/,
    reason: 'it takes many minutes, and says nothing on a machine that does other things',
  },
]

const written = documents.flatMap(({ file, text }) =>
  commandsOf(text).map((command) => ({ file, command })),
)

const run = [...starts, ...[...besideTheDemo, ...besideTheSandbox].map(({ command }) => command)]

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

/** What comes of them as they are written, but for these changes. */
async function resultsOf(
  steps: readonly Step[],
  shell: Shell,
  changes: Readonly<Record<string, string>>,
) {
  const changed = (text: string) =>
    Object.entries(changes).reduce((result, [from, to]) => result.replaceAll(from, to), text)
  const results = await shell.run(steps.map(({ command }) => changed(command)))
  return results.map((result, index) => ({ ...result, command: steps[index]?.command }))
}

function expectedOf(steps: readonly Step[]) {
  return steps.map(({ command, prints }) => ({
    ...{ command, code: 0 },
    out: expect.stringMatching(prints),
  }))
}

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
    using directory = temporaryDirectory()
    const shell = openShell(directory.path, { PORT: '0' })
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
  using directory = temporaryDirectory()
  const shell = openShell(directory.path, { PORT: '0' })
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
    using directory = temporaryDirectory()
    const shell = openShell(directory.path)
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
    writeFileSync(join(directory.path, '.env'), environment)
    const changes = { 'https://localhost:8443': url }
    const results = await resultsOf(besideTheSandbox, shell, changes)
    expect(results).toEqual(expectedOf(besideTheSandbox))
  },
)
