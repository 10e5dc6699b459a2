import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { feeds } from '../../src/feeds.ts'
import type { Status } from '../../src/collections/status.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
const section = /^## Connect your website$(.*?)^### Settings$/ms.exec(readme)?.[1] ?? ''

/** What stands in fences there, in its order. */
const blocks = [...section.matchAll(/^ {3}```(?:ini|sh)?\n(.*?)^ {3}```$/gms)].map(
  ([, text = '']) => text.replace(/^ {3}/gm, ''),
)
const [saveToken = '', settings = '', checkLine = '', transcript = '', linkLine = ''] = blocks

const endpoints = ['announce', 'calendar', 'events', 'news', 'signup']

/** A website in a process of its own, whose API Project is locked down as the steps say. */
async function startWebsite() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const dataDirectory = ['--data-dir', directory.path]
  const output = await outputUntil(run(directory.path, ['sandbox', ...dataDirectory]), /^\{.*\}$/m)
  const { url, caFile, projects } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '') as {
    readonly url: string
    readonly caFile: string
    readonly projects: readonly { readonly refreshToken: string }[]
  }
  const setProject = async (names: string, ips: string) => {
    const limits = ['--endpoints', names, '--ips', ips]
    const set = run(directory.path, ['sandbox', 'project', 'set', '1', ...limits, ...dataDirectory])
    expect((await resultOf(set)).code).toBe(0)
  }
  return { url, caFile, refreshToken: projects[0]?.refreshToken ?? '', setProject }
}

/** The arguments of a command as the README has it, `npx node src/main.ts ...`. */
function argsOf(line: string): readonly string[] {
  expect(line).toMatch(/^npx node src\/main\.ts /)
  const words = line.trim().match(/"[^"]*"|\S+/g) ?? []
  return words.slice(3).map((word) => word.replaceAll('"', ''))
}

/** How often there is what differs from website to website. */
const withoutNumbers = (text: string) =>
  text.replace(/https:\/\/(?:localhost:\d+|www\.example\.org)/g, 'SITE').replace(/\d+/g, 'N')

test('the table of endpoints is what feeds are made from', () => {
  const rows = [...section.matchAll(/^ {3}\| `(\w+)` +\| `(\w+)` +\|$/gm)].map(([, ...row]) => row)
  expect(new Map(rows as [string, string][])).toEqual(
    new Map(feeds.map(({ id, resource }) => [id, resource])),
  )
})

test('who follows the steps has it running, and is told what is not allowed', async () => {
  const website = await startWebsite()
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const { path } = directory
  await website.setProject(endpoints.join(','), '203.0.113.9')

  // Step 3 and 4
  execFileSync('sh', ['-c', saveToken], { cwd: path, input: `${website.refreshToken}\n` })
  expect(statSync(join(path, 'refresh-token')).mode & 0o777).toBe(0o600)
  const environment = `${settings.replace('https://www.example.org', website.url)}PORT=0\n`
  writeFileSync(join(path, '.env'), `${environment}SITE_CA_FILE=${website.caFile}\n`)

  // Step 5, first without step 2
  const refused = await resultOf(run(path, argsOf(checkLine)))
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/^FAULT .*ip_not_allowed.*adds its public address/m)
  await website.setProject(endpoints.join(','), '127.0.0.1')
  const { code, stdout, stderr } = await resultOf(run(path, argsOf(checkLine)))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const shown = withoutNumbers(transcript).replace('of www.example.org.', 'of localhost.')
  expect(withoutNumbers(stdout)).toBe(shown)

  // Step 6
  const service = run(path, ['serve'])
  const url = await urlOf(service)
  await waitFor(async () => expect((await statusOf(url)).ok).toBe(true))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${url}/`)).text()).toContain('Example Volunteer Fire Department')

  // Step 8
  const added = await resultOf(run(path, argsOf(linkLine)))
  const link = /http:\S+\/l\/\w+\//.exec(added.stdout)?.[0] ?? ''
  await waitFor(async () => {
    expect((await fetch(`${link}calendar.ics`)).status).toBe(200)
    expect((await fetch(`${link}rental.ics`)).status).toBe(404)
  })
  await waitFor(async () => {
    const { ok, sentences } = await statusOf(url)
    expect(ok).toBe(true)
    expect(sentences[1]).toContain('so the feed rental is switched off')
  })

  // What is switched off stays so after a restart, and comes back once somebody says so.
  const key = new URL(link).pathname
  service.kill('SIGINT')
  await service.exited
  const again = await urlOf(run(path, ['serve']))
  expect((await fetch(`${again}${key}rental.ics`)).status).toBe(404)
  await website.setProject('all', '127.0.0.1')
  expect((await resultOf(run(path, argsOf(checkLine)))).code).toBe(0)
  await waitFor(async () => expect((await fetch(`${again}${key}rental.ics`)).status).toBe(200))
}, 240_000)

async function urlOf(service: Parameters<typeof outputUntil>[0]): Promise<string> {
  return /http:\/\/127\.0\.0\.1:\d+/.exec(await outputUntil(service, /Stop with/))?.[0] ?? ''
}

const statusOf = async (url: string): Promise<Status> =>
  (await (await fetch(`${url}/status`)).json()) as Status
