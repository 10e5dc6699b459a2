import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { publishableFeeds } from '../../src/feeds/catalog.ts'
import { commands } from '../../src/cli/run-command.ts'
import { resultOf, run } from '../support/command-line.ts'
import {
  anchorsOf,
  blocksOf,
  codeOf,
  documentOf,
  documents,
  ownLinksOf,
  root,
  tableAfter,
} from '../support/documentation.ts'
import { followEnvironment } from '../support/following.ts'
import { startTestService } from '../support/service.ts'

/* Checks that everything mentioned in the README and docs exists. */

/** Settings in .env.example, which another test compares with the code. */
const settings = [
  ...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#([A-Z_]+)=/gm),
].map(([, name = '']) => name)

/** Pages about other services. Other tests check the paths that they mention. */
const elsewhere = ['docs/sandbox.md', 'docs/data-service.md', 'docs/static.md']

/** Environment variables of tests and other programs. */
const foreignVariables = [
  'NODE_EXTRA_CA_CERTS',
  'MALLOC_ARENA_MAX',
  'UPDATE_GOLDEN',
  'KEEP_SCREENSHOTS',
  'FEEDHOUSE_HOSTS',
  'ICU_TIMEZONE_FILES_DIR',
]

/** Sandbox paths, file system paths, examples of unknown paths, and pages that list several sites. */
const foreignPaths =
  /^\/(?:apps|manage|sites|county(?:\.\w+)?|files|data|home|etc|var|usr|run|srv|opt|tmp)\//

test('has only working links', () => {
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

test('lists every page in the index of the docs or decisions', () => {
  const decisions = indexOf('docs/decisions/')
  const pages = ['docs/README.md', ...indexOf('docs/')]
  const missing = documents
    .map(({ file }) => file)
    .filter((file) => file.startsWith('docs/'))
    .filter((file) => !(/^docs\/decisions\/\d/.test(file) ? decisions : pages).includes(file))
  expect(missing).toEqual([])
})

const codes = documents.flatMap(({ file, text }) => codeOf(text).map((code) => ({ file, code })))

test('mentions only existing settings', () => {
  const known = [...settings, ...settings.map((name) => `${name}_FILE`), ...foreignVariables]
  const unknown = codes.filter(({ code }) => {
    const [name] = /^[A-Z]+(?:_[A-Z]+)+(?==|$)/.exec(code) ?? []
    return name !== undefined && !known.includes(name)
  })
  expect(unknown).toEqual([])
})

test('mentions only existing metrics', () => {
  const source = readFileSync(resolve(root, 'src/features/monitoring/metrics.ts'), 'utf8')
  const unknown = codes.filter(({ code }) =>
    code
      .match(/\bfeedhouse_\w+_(?:total|kept|bytes|calls|seconds)\b/g)
      ?.some((name) => !source.includes(`'${name}'`)),
  )
  expect(unknown).toEqual([])
})

test('mentions only existing files', () => {
  const missing = codes
    .filter(({ code }) => /^(?:src|test|bench|templates|docs)\/[\w./-]+$/.test(code))
    .filter(({ code }) => !existsSync(join(root, code)))
  expect(missing).toEqual([])
})

test('mentions only existing benchmarks', () => {
  const benches = readFileSync(join(root, 'bench/bench.ts'), 'utf8')
  const named = documents.flatMap(({ text }) => [...text.matchAll(/npm run bench -- ([a-z]+)/g)])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, name]) => !benches.includes(`import('./${name}.ts')`))).toEqual([])
})

/** Files of the project. A page may name one without its folder. */
const names = globSync('{bench,deploy,findings,src,templates,test}/**/*.{ts,js}', {
  cwd: root,
}).map((file) => basename(file))

test('mentions only existing names of files', () => {
  const missing = codes.filter(({ code }) => /^[\w-]+\.[jt]s$/.test(code) && !names.includes(code))
  expect(missing).toEqual([])
})

test('names the right folders of files', () => {
  const pairs = documents.flatMap(({ text }) => [
    ...text.matchAll(/`([\w-]+\.[jt]s)`\s+in\s+`((?:src|test)\/[\w/-]+)\/`/g),
  ])
  expect(pairs.length).toBeGreaterThan(5)
  const paths = pairs.map(([, name = '', folder = '']) => `${folder}/${name}`)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('draws only existing files in docs/architecture.md', () => {
  const drawn = blocksOf(documentOf('docs/architecture.md')).flatMap(({ lines }) =>
    lines.flatMap((line) => line.match(/[a-z]+\/[\w/-]+\.ts/g) ?? []),
  )
  expect(drawn.length).toBeGreaterThan(40)
  expect(drawn.filter((file) => !existsSync(join(root, 'src', file)))).toEqual([])
})

test('mentions only existing commands', async () => {
  const { stdout } = await resultOf(run(root, ['--help']))
  const commands = new Set(stdout.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim()))
  const named = documents.flatMap(({ text }) => [
    ...text.matchAll(/\b(?:npx|feedhouse(?:-\d)?) feedhouse ([a-z]+)/g),
  ])
  expect(named.length).toBeGreaterThan(10)
  expect(named.map(([, name = '']) => name).filter((name) => !commands.has(name))).toEqual([])
})

test.for(Object.keys(commands))('mentions every option of %s', async (name) => {
  const { command } = (await commands[name]?.()) ?? {}
  const options = command?.help.match(/^ {2}--[a-z-]+/gm)?.map((option) => option.trim())
  expect(options?.length).toBeGreaterThan(0)
  const missing = options?.filter((option) => !documents.some(({ text }) => text.includes(option)))
  expect(missing).toEqual([])
})

test('mentions only existing paths', async () => {
  const publicFeedIds = publishableFeeds.map(({ id }) => id)
  await using service = await startTestService({
    environment: { ...followEnvironment, ADMIN_PASSWORD: 'correct horse battery' },
    publicFeedIds,
  })
  await service.readAll()
  const link = await service.addLink({
    profile: 'full',
    feedIds: [...publicFeedIds, 'members', 'training'],
  })
  const items = Object.fromEntries(
    await Promise.all(
      publicFeedIds.map(async (feed) => {
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
      .replace(/\/(\w+)\/\{id\}/, (_whole, feed: string) => `/${feed}/${items[feed] ?? '1'}`)
  const named = documents
    .filter(({ file }) => !elsewhere.includes(file))
    // Another test compares this section with the routes.
    .flatMap(({ text }) => codeOf(text.replace(/^## URLs\n[^]*?(?=^## )/m, '')))
    .filter((each) => /^\/[\w./{}?=&,#-]*$/.test(each) && !foreignPaths.test(`${each}/`))
    // A URL prefix is not a URL.
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

/** Splits a message at the values that the code inserts, such as settings, numbers and URLs. */
const fixedPartsOf = (message: string) =>
  message.split(/https:\S+|[\w.]+\.org|[\d.:]*\d|[A-Z]+(?:_[A-Z]+)+/).map((part) => part.trim())

test('quotes messages in "If it does not start" exactly as the code prints them', () => {
  const files = ['bin/feedhouse', ...globSync('src/**/*.ts', { cwd: root })]
  const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const rows = tableAfter('## If it does not start', documentOf('docs/connect.md'))
  const messages = rows.flatMap(({ message = '' }) => codeOf(message))
  expect(messages.length).toBeGreaterThan(5)
  expect(messages.flatMap(fixedPartsOf).filter((part) => !source.includes(part))).toEqual([])
})

test('describes every source folder in docs/architecture.md', () => {
  const parts = globSync('*', { cwd: join(root, 'src') }).map((part) =>
    part.includes('.') ? part : `${part}/`,
  )
  const named = codeOf(documentOf('docs/architecture.md'))
  expect(parts.filter((part) => !named.includes(part))).toEqual([])
})
