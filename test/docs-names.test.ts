import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { main } from './support/command-line.ts'
import {
  anchorsOf,
  codeOf,
  documentOf,
  documents,
  ownLinksOf,
  root,
} from './support/documentation.ts'
import { startTestService } from './support/service.ts'

/* What README and docs name exists. */

/** The configuration's own test compares this file with what is read. */
const settings = [
  ...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#([A-Z_]+)=/gm),
].map(([, name = '']) => name)

/** What has addresses of its own, which its own tests try. */
const elsewhere = ['docs/sandbox.md', 'docs/data-service.md', 'docs/static.md']

/** Of other programs. */
const foreignVariables = ['NODE_EXTRA_CA_CERTS', 'UPDATE_GOLDEN', 'FEEDHOUSE_HOSTS']

/** Of the sandbox, of the computer, or examples of what is refused. */
const foreignPaths = /^\/(?:apps|manage|files|data|home|etc|var|usr|run|srv|opt|tmp)\//

test('links lead somewhere', () => {
  const broken = documents.flatMap(({ file, text }) =>
    ownLinksOf(text)
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? file : normalize(join(dirname(file), path))
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && !anchorsOf(documentOf(target)).includes(anchor)
      })
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

function indexOf(folder: string): readonly string[] {
  return ownLinksOf(documentOf(`${folder}README.md`)).map((link) => normalize(folder + link))
}

test('every page is in the index of the docs or in that of the decisions', () => {
  const decisions = indexOf('docs/decisions/')
  const pages = ['docs/README.md', ...indexOf('docs/')]
  const missing = documents
    .map(({ file }) => file)
    .filter((file) => file.startsWith('docs/'))
    .filter((file) => !(file.startsWith('docs/decisions/0') ? decisions : pages).includes(file))
  expect(missing).toEqual([])
})

const codes = documents.flatMap(({ file, text }) => codeOf(text).map((code) => ({ file, code })))

test('settings that are named exist', () => {
  const known = [...settings, ...settings.map((name) => `${name}_FILE`), ...foreignVariables]
  const unknown = codes.filter(({ code }) => {
    const [name] = /^[A-Z]+(?:_[A-Z]+)+(?==|$)/.exec(code) ?? []
    return name !== undefined && !known.includes(name)
  })
  expect(unknown).toEqual([])
})

test('metrics that are named exist', () => {
  const source = readFileSync(resolve(root, 'src/http/metrics.ts'), 'utf8')
  const unknown = codes.filter(({ code }) =>
    code
      .match(/\bfeedhouse_\w+_(?:total|kept|bytes|calls|seconds)\b/g)
      ?.some((name) => !source.includes(`'${name}'`)),
  )
  expect(unknown).toEqual([])
})

test('files that are named exist', () => {
  const missing = codes
    .filter(({ code }) => /^(?:src|test|bench|templates|docs)\/[\w./-]+$/.test(code))
    .filter(({ code }) => !existsSync(join(root, code)))
  expect(missing).toEqual([])
})

test('every command that is named is one', () => {
  const { stdout } = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' })
  const commands = new Set(stdout.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim()))
  const named = documents.flatMap(({ text }) => [...text.matchAll(/src\/main\.ts ([a-z]+)/g)])
  expect(named.length).toBeGreaterThan(10)
  expect(named.map(([, name = '']) => name).filter((name) => !commands.has(name))).toEqual([])
})

test('every address that is named answers', async () => {
  await using service = await startTestService({
    environment: { ADMIN_PASSWORD: 'correct horse battery' },
  })
  await service.readAll()
  const link = await service.addLink({ profile: 'full' })
  const items = Object.fromEntries(
    await Promise.all(
      ['calendar', 'events', 'rental', 'signup', 'news', 'announcements'].map(async (feed) => {
        const page = await (await fetch(`${service.url}/embed/${feed}`)).text()
        return [feed, new RegExp(`/${feed}/(\\d+)"`).exec(page)?.[1]] as const
      }),
    ),
  )
  const urlOf = (path: string) =>
    path
      .replace(/^\/l\/\{key\}\/?/, new URL(link).pathname)
      .replace('/{feed}.{format}', '/events.ics')
      .replace('{feed}', 'events')
      .replace(/\/(\w+)\/\{id\}/, (_whole, feed: string) => `/${feed}/${items[feed]}`)
  const named = documents
    .filter(({ file }) => !elsewhere.includes(file))
    .flatMap(({ text }) => codeOf(text))
    .filter((each) => /^\/[\w./{}?=&,#-]*$/.test(each) && !foreignPaths.test(`${each}/`))
    // What many addresses begin with is none itself.
    .filter((path) => !/[a-z]\/(?:\.{3})?$/.test(path))
  expect(new Set(named).size).toBeGreaterThan(20)
  const answers = await Promise.all(
    [...new Set(named)].map(async (path) => {
      const { status } = await fetch(`${service.url}${urlOf(path)}`)
      return `${path} ${status}`
    }),
  )
  expect(answers.filter((answer) => !/ [23]\d\d$/.test(answer))).toEqual([])
})

test('every part of the source is in docs/architecture.md', () => {
  const parts = globSync('*', { cwd: join(root, 'src') }).map((part) =>
    part.includes('.') ? part : `${part}/`,
  )
  const named = codeOf(documentOf('docs/architecture.md'))
  expect(parts.filter((part) => !named.includes(part))).toEqual([])
})
