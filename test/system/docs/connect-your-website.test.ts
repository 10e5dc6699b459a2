import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Status } from '../../../src/collections/status/status.ts'
import { outputUntil, readyService, resultOf, run } from '../../support/command-line.ts'
import { blocksOf, documentOf, root } from '../../support/documentation.ts'
import { temporaryDirectory, testDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const [, section = ''] = documentOf('README.md').split('\n## Connect your website\n')
const details = documentOf('docs/connect.md')

/** Code blocks in the section, in the order in which they appear. */
const blocks = [...section.matchAll(/^ {3}```(?:ini|sh)\n(.*?)^ {3}```$/gms)].map(([, text = '']) =>
  text.replace(/^ {3}/gm, ''),
)
const [saveToken = '', createSettings = '', settings = '', checkLine = '', linkLine = ''] = blocks
const [, transcript = ''] = /^```\n(Checking .*?)^```$/ms.exec(details) ?? []

const endpoints = ['announce', 'calendar', 'events', 'news', 'signup']

/** Starts a website whose API Project is restricted the way the steps describe. */
async function startWebsite() {
  const directory = testDirectory()
  const dataDirectory = ['--data-dir', directory]
  const output = await outputUntil(run(directory, ['sandbox', ...dataDirectory]), /^\{.*\}$/m)
  const { url, caFile, projects } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '') as {
    readonly url: string
    readonly caFile: string
    readonly projects: readonly { readonly refreshToken: string }[]
  }
  const setProject = async (names: string, ips: string) => {
    const limits = ['--endpoints', names, '--ips', ips]
    const set = run(directory, ['sandbox', 'project', 'set', '1', ...limits, ...dataDirectory])
    expect((await resultOf(set)).code).toBe(0)
  }
  return { url, caFile, refreshToken: projects[0]?.refreshToken ?? '', setProject }
}

/** Returns the arguments of a command in the README, `npx feedhouse ...`. */
function argsOf(line: string): readonly string[] {
  expect(line).toMatch(/^npx feedhouse /)
  const words = line.trim().match(/"[^"]*"|\S+/g) ?? []
  return words.slice(2).map((word) => word.replaceAll('"', ''))
}

const sh = (script: string, cwd: string, input = '') =>
  execFileSync('sh', ['-c', script], { cwd, input })

/** Replaces all values that differ between websites. */
const withoutNumbers = (text: string) =>
  text
    .replace(/https:\/\/(?:localhost:\d+|www\.example\.org)/g, 'SITE')
    .replace(/\b\d{4}[a-z]\b/g, 'RELEASE')
    .replace(/\d+/g, 'N')

/** Saves the token and the settings, as steps 3 and 4 describe. */
async function setUp(ips: string) {
  const website = await startWebsite()
  const path = testDirectory()
  await website.setProject(endpoints.join(','), ips)
  sh(saveToken, path, `${website.refreshToken}\n`)
  expect(statSync(join(path, 'refresh-token')).mode & 0o777).toBe(0o600)
  cpSync(join(root, '.env.example'), join(path, '.env.example'))
  sh(createSettings, path)
  expect(statSync(join(path, '.env')).mode & 0o777).toBe(0o600)
  const environment = `${settings.replace('https://www.example.org', website.url)}PORT=0\n`
  writeFileSync(join(path, '.env'), `${environment}SITE_CA_FILE=${website.caFile}\n`)
  sh(createSettings, path)
  expect(readFileSync(join(path, '.env'), 'utf8')).toContain(environment)
  return { website, path }
}

test('the documented steps start a service and report endpoints that are not allowed', async () => {
  const { website, path } = await setUp('203.0.113.9')

  // Runs step 5, at first without step 2
  const refused = await resultOf(run(path, argsOf(checkLine)))
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(
    /^FAULT .*only allows listed IP addresses.*add its public address/m,
  )
  await website.setProject(endpoints.join(','), '127.0.0.1')
  const { code, stdout, stderr } = await resultOf(run(path, argsOf(checkLine)))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const shown = withoutNumbers(transcript).replaceAll(' www.example.org', ' localhost')
  expect(withoutNumbers(stdout)).toBe(shown)

  // Step 6
  const { url } = await readyService(run(path, ['serve']))
  await waitFor(async () => expect((await statusOf(url)).ok).toBe(true))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${url}/`)).text()).toContain('Example Volunteer Fire Department')

  // Step 8
  const link = await addLink(path)
  await rentalIsOff(link)
  await waitFor(async () => {
    const { ok, sentences } = await statusOf(url)
    expect(ok).toBe(true)
    // Private feeds are not listed until the admin signs in.
    expect(sentences.join()).not.toContain('rental')
  })
})

// This is a separate test, because running it with the steps would exceed the website's call limit.
test('a feed stays switched off after a restart until a check finds that it is allowed', async () => {
  const { website, path } = await setUp('127.0.0.1')
  const service = run(path, ['serve'])
  await readyService(service)
  const link = await addLink(path)
  await rentalIsOff(link)
  service.kill('SIGINT')
  await service.exited
  const { url } = await readyService(run(path, ['serve']))
  const again = `${url}${new URL(link).pathname}rental.ics`
  expect((await fetch(again)).status).toBe(404)
  await website.setProject('all', '127.0.0.1')
  expect((await resultOf(run(path, argsOf(checkLine)))).code).toBe(0)
  await waitFor(async () => expect((await fetch(again)).status).toBe(200))
})

test('the documented rehearsal starts a service and leaves only the real settings behind', async () => {
  using directory = temporaryDirectory()
  const { path: clone } = directory
  writeFileSync(join(clone, '.env'), 'SITE_URL=https://www.example.org\n')
  const [, rehearsal = ''] = details.split('\n## Rehearse without a website\n')
  const [start = [], environment = [], , , cleanUp = []] = blocksOf(rehearsal).map(
    ({ lines }) => lines,
  )
  sh(start[0] ?? '', clone)
  const path = join(clone, 'rehearsal')
  const sandbox = run(path, ['sandbox', '--data-dir', 'sandbox-data'])
  const { url, projects } = JSON.parse(
    /^\{.*\}$/m.exec(await outputUntil(sandbox, /^\{.*\}$/m))?.[0] ?? '',
  )
  sh(saveToken, path, `${projects[0].refreshToken}\n`)
  const local = environment.join('\n').replace('https://localhost:8443', url)
  writeFileSync(join(path, '.env'), `${local}\nPORT=0\n`)
  expect(await resultOf(run(path, argsOf(checkLine)))).toMatchObject({ code: 0, stderr: '' })
  const service = run(path, ['serve'])
  const { url: address } = await readyService(service)
  await waitFor(async () => expect((await statusOf(address)).ok).toBe(true))
  const calendar = `${await addLink(path)}calendar.ics`
  await waitFor(async () => expect((await fetch(calendar)).status).toBe(200))
  for (const each of [service, sandbox]) {
    each.kill('SIGINT')
    await each.exited
  }
  sh(cleanUp.join('\n'), clone)
  expect(readdirSync(clone)).toEqual(['.env'])
})

/** Creates a feed link with the command in step 8, and resolves to its URL. */
async function addLink(path: string): Promise<string> {
  const { stdout } = await resultOf(run(path, argsOf(linkLine)))
  return /http:\S+\/l\/\w+\//.exec(stdout)?.[0] ?? ''
}

async function rentalIsOff(link: string): Promise<void> {
  await waitFor(async () => {
    expect((await fetch(`${link}calendar.ics`)).status).toBe(200)
    expect((await fetch(`${link}rental.ics`)).status).toBe(404)
  })
}

const statusOf = async (url: string): Promise<Status> =>
  (await (await fetch(`${url}/status`)).json()) as Status
