import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../../src')

/** Parts that any code with a lifecycle may import. */
const common = 'clock.ts json.ts log.ts node-http.ts steps.ts'

/** Allowed imports of each folder and file in src. */
const allowed: Readonly<Record<string, string>> = {
  'clock.ts': '',
  'json.ts': '',
  'steps.ts': '',
  'log.ts': '',
  'node-http.ts': '',
  'used-time.ts': '',
  outgoing: '',
  sandbox: 'node-http.ts',
  records: 'text',
  text: '',
  options: '',
  'zone-data': `records ${common}`,
  search: 'options records',
  signage: 'records text',
  calendar: 'options records text search steps.ts',
  syndication: 'options records text search',
  store: common,
  hosts: `store ${common}`,
  pictures: 'outgoing steps.ts used-time.ts',
  links: `store ${common}`,
  followers: `records links store ${common}`,
  feeds: 'records text options search calendar syndication signage links steps.ts',
  upstream: `records text store outgoing ${common}`,
  channels: 'records text json.ts',
  config: `records channels calendar feeds links store ${common}`,
  check: `records upstream zone-data outgoing ${common}`,
  collections: `records text store upstream zone-data ${common}`,
  representations: `records options collections feeds links store used-time.ts ${common}`,
  site: `config records signage links store ${common}`,
  front: `representations used-time.ts ${common}`,
  web: `check records text options search collections config feeds followers front links pictures representations
    signage site store used-time.ts ${common}`,
  features: `check records text options search collections config feeds followers front links pictures
    representations signage site store web ${common}`,
  http: `feeds features front web ${common}`,
  delivery: `channels collections config features feeds followers front links pictures records representations site
    store text upstream ${common}`,
  app: `channels collections config delivery features feeds followers front http links pictures records
    representations site store upstream web zone-data ${common}`,
  hosting: `app channels config delivery features feeds followers front hosts http links representations store
    upstream web ${common}`,
  backup: `app collections config followers links representations store ${common}`,
  export: `app collections features feeds front hosting http records representations signage store text web
    ${common}`,
  cli: `app backup channels check collections config delivery export feeds followers hosting links options records
    representations sandbox store text upstream zone-data ${common}`,
  'main.ts': `cli hosting config zone-data ${common}`,
}

/** Packages that only some parts may import. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  express: ['web', 'features', 'http', 'hosting', 'sandbox'],
  helmet: ['web'],
  eta: ['web', 'sandbox'],
  qrcode: ['web'],
  'image-size': ['pictures'],
  nodemailer: ['delivery'],
  imapflow: ['delivery'],
  sharp: ['pictures'],
  undici: ['outgoing', 'pictures', 'upstream'],
  // The sandbox does not share code with the service, so it has its own database code.
  'node:sqlite': ['store', 'sandbox'],
  redis: ['store'],
  'node-cache': ['web'],
  saxes: ['features'],
  'ical-generator': ['calendar'],
  feed: ['syndication'],
  htmlparser2: ['check'],
}

/** Pure parts, which receive time and randomness as arguments. */
const pure = [
  'records',
  'text',
  'options',
  'calendar',
  'syndication',
  'signage',
  'links',
  'feeds',
  'channels',
]

/** Files in pure folders that connect pure parts with the store, the clock and randomness. */
const impureFiles = ['links/link-service.ts']

const files = globSync('**/*.{ts,js}', { cwd: source }).map((file) => {
  const code = readFileSync(join(source, file), 'utf8')
  return { file, part: partOf(file), code, imports: importsOf(code) }
})

function partOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function importsOf(code: string): readonly string[] {
  const statements = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm
  const dynamic = /\bimport\('([^']+)'\)/g
  return [...code.matchAll(statements), ...code.matchAll(dynamic)].map(
    ([, specifier = '']) => specifier,
  )
}

test('has rules for every part of src', () => {
  const parts = new Set(files.map(({ part }) => part))
  expect([...parts].filter((part) => !(part in allowed))).toEqual([])
})

test('finds the imports in a file', () => {
  expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

test('files in src import only parts that their rules allow', () => {
  const forbidden = files.flatMap(({ file, part, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => partOf(relative(source, join(source, dirname(file), specifier))))
      .filter((other) => other !== part && !allowed[part]?.split(/\s+/).includes(other))
      .map((other) => `${file} imports ${other}`),
  )
  expect(forbidden).toEqual([])
})

/** Returns the feature that a file belongs to. */
const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]

test('features do not import each other', () => {
  const found = files.flatMap(({ file, imports }) => {
    const feature = featureOf(file)
    if (feature === undefined) return []
    return imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => featureOf(join(dirname(file), specifier)))
      .filter((other) => other !== undefined && other !== feature)
      .map((other) => `${file} imports ${other}`)
  })
  expect(found).toEqual([])
})

test('no file imports itself through other files, not even for a type', () => {
  const importsIn = new Map(
    files.map(({ file, imports }) => [
      file,
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier)),
    ]),
  )
  /** Files below which there is no circle. */
  const clear = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (clear.has(file)) return
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    for (const next of importsIn.get(file) ?? []) visit(next, [...path, file])
    clear.add(file)
  }
  for (const { file } of files) visit(file, [])
  expect(circles).toEqual([])
})

test('npm packages are imported only in the parts that may use them', () => {
  const misplaced = files.flatMap(({ file, part, imports }) =>
    imports
      .filter((specifier) => packageHomes[specifier]?.includes(part) === false)
      .map((specifier) => `${file} imports ${specifier}`),
  )
  expect(misplaced).toEqual([])
})

test('pure parts use neither the clock nor randomness', () => {
  const impure = /Date\.now|new Date\(\)|DateTime\.(?:now|local|utc)\(\)|Math\.random|randomBytes/
  const found = files
    .filter(({ file, part }) => pure.includes(part) && !impureFiles.includes(file))
    .flatMap(({ file, code }) => impure.exec(code)?.map((use) => `${file}: ${use}`) ?? [])
  expect(found).toEqual([])
})

test('only config/env-file.ts uses the environment', () => {
  const found = files.filter(
    ({ file, code }) => file !== 'config/env-file.ts' && /process\.env/.test(code),
  )
  expect(found.map(({ file }) => file)).toEqual([])
})

test('the front loads neither Express nor parsers or database drivers', () => {
  const loaded = modulesLoadedBy(['main.ts', 'hosting/front-process.ts'])
  const packages = loaded.filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'))
  expect(packages.toSorted()).toEqual(['lru-cache', 'p-limit', 'pino'])
  const unused = ['node:http', 'node:https', 'node:sqlite', 'node:tls']
  expect(unused.filter((name) => loaded.includes(name))).toEqual([])
})

const worker = ['main.ts', 'hosting/worker-server.ts', 'cli/serve.ts']

test('the feeds of a single site do not wait for modules of pages, followers and other sites', () => {
  const loaded = modulesLoadedBy(worker)
  expect(loaded).toContain('features/feeds/feed-routes.ts')
  const others =
    /^(?:features\/(?!feeds|monitoring)|http\/routes|delivery\/following|hosting\/.*pages)/
  expect(loaded.filter((name) => others.test(name))).toEqual([])
})

test('the worker loads packages that few sites use when they are first used', () => {
  const later = [
    'http/page-router.ts',
    'delivery/following/following.ts',
    'hosting/hosting-pages.ts',
  ]
  const loaded = modulesLoadedBy([...worker, ...later])
  expect(loaded).toContain('features/monitoring/metrics.ts')
  const rare = ['htmlparser2', 'imapflow', 'nodemailer', 'prom-client', 'qrcode', 'redis', 'sharp']
  expect(rare.filter((name) => loaded.includes(name))).toEqual([])
  // `node-http.ts` has the parts that are used.
  expect(loaded).not.toContain('node:http')
})

/** Returns the files and packages that these files load at runtime, directly or indirectly. */
function modulesLoadedBy(entries: readonly string[]): readonly string[] {
  const loaded = new Set<string>()
  const add = (name: string) => {
    if (loaded.has(name)) return
    loaded.add(name)
    const code = files.find(({ file }) => file === name)?.code ?? ''
    for (const [, specifier = ''] of code.matchAll(runtimeImports)) {
      add(specifier.startsWith('.') ? join(dirname(name), specifier) : specifier)
    }
  }
  for (const entry of entries) add(entry)
  return [...loaded]
}

const runtimeImports = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm

test('browsers use no time zone rules of their own, which may be years old', () => {
  const scripts = files.filter(({ file }) => /^signage\/board-\w+\.ts$/.test(file))
  const templates = globSync('**/*.js', { cwd: resolve(source, '../templates') }).map((file) => ({
    file,
    code: readFileSync(resolve(source, '../templates', file), 'utf8'),
  }))
  expect(templates.length).toBeGreaterThan(5)
  const found = [...scripts, ...templates].filter(({ code }) => /timeZone(?!: 'UTC')/.test(code))
  expect(found.map(({ file }) => file)).toEqual([])
})
