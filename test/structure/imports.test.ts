import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../../src')

/** Parts that anything with a lifetime may use. */
const common = ['clock.ts', 'log.ts']

/** Who may import whom: a part of src and the other parts it may use. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  records: [],
  upstream: ['records', 'turns.ts', ...common],
  store: [],
  collections: ['records', 'upstream', 'store', ...common],
  calendar: ['records'],
  syndication: ['records'],
  signage: ['records'],
  links: [],
  sandbox: [],
  feeds: ['records', 'calendar', 'syndication', 'signage', 'links'],
  'feeds.ts': ['records', 'calendar', 'syndication', 'signage', 'links', 'feeds'],
  representations: ['records', 'feeds.ts', 'feeds', 'collections', ...common],
  http: [
    'records',
    'representations',
    'feeds.ts',
    'feeds',
    'collections',
    'links',
    'signage',
    'site-place.ts',
    ...common,
  ],
  'clock.ts': [],
  'site-place.ts': [],
  'turns.ts': [],
  'memory.ts': [],
  'sites-file.ts': ['config.ts'],
  'log.ts': [],
  'config.ts': ['feeds', 'log.ts', 'misspelt-settings.ts', 'parsed-settings.ts', 'settings.ts'],
  'parsed-settings.ts': [],
  'misspelt-settings.ts': [],
  'settings.ts': ['feeds.ts', 'feeds', 'log.ts', 'places.ts', 'setting-values.ts'],
  'places.ts': ['calendar'],
  'setting-values.ts': ['feeds.ts'],
  'deployment.ts': [
    ...['config.ts', 'misspelt-settings.ts', 'settings.ts', 'site-place.ts', 'sites-file.ts'],
  ],
  'shown-since.ts': ['feeds', 'store'],
  'id-host.ts': ['collections', 'config.ts', 'store'],
  'link-keeping.ts': ['collections', 'links', 'store', ...common],
  'public-address.ts': ['store'],
  'restored-items.ts': [
    ...['collections', 'id-host.ts', 'links', 'shown-since.ts', 'site-client.ts', 'store'],
  ],
  'version.ts': [],
  'admin-duties.ts': [
    'config.ts',
    'collections',
    'http',
    'link-keeping.ts',
    'links',
    'store',
    ...common,
  ],
  'site-client.ts': ['config.ts', 'refresh-token.ts', 'upstream', 'store', ...common],
  'refresh-token.ts': ['config.ts', 'setting-values.ts', ...common],
  'web-server.ts': ['config.ts', 'http', ...common],
  'service.ts': [
    'config.ts',
    'memory.ts',
    'http',
    'representations',
    'site-service.ts',
    'web-server.ts',
  ],
  'hosted-site.ts': ['deployment.ts', 'http', 'site-service.ts', ...common],
  'hosting.ts': [
    ...['config.ts', 'memory.ts', 'deployment.ts', 'hosted-site.ts', 'http', 'representations'],
    ...['site-service.ts', 'store', 'turns.ts', 'web-server.ts', ...common],
  ],
  'published-site.ts': ['config.ts', 'feeds'],
  'reading.ts': [
    ...['config.ts', 'feeds.ts', 'feeds', 'link-keeping.ts', 'links', 'site-client.ts'],
    ...['upstream', 'store', 'collections', ...common],
  ],
  'making.ts': [
    ...['feeds.ts', 'feeds', 'link-keeping.ts', 'memory.ts', 'collections', 'representations'],
    ...common,
  ],
  'static-site.ts': [
    ...['feeds.ts', 'memory.ts', 'feeds', 'published-site.ts', 'reading.ts', 'making.ts'],
    ...['upstream', 'store', 'collections', 'representations', 'http', 'web-server.ts', ...common],
  ],
  export: [
    ...['records', 'feeds', 'collections', 'representations', 'signage', 'static-site.ts', 'store'],
    'id-host.ts',
    ...common,
  ],
  check: ['upstream', 'store'],
  'site-service.ts': [
    ...[
      'check',
      'memory.ts',
      'config.ts',
      'feeds.ts',
      'feeds',
      'admin-duties.ts',
      'id-host.ts',
      'shown-since.ts',
      'link-keeping.ts',
      'published-site.ts',
      'reading.ts',
      'making.ts',
      'public-address.ts',
      'upstream',
      'store',
      'collections',
    ],
    ...['representations', 'http', 'links', ...common],
  ],
  cli: [
    ...[
      'check',
      'config.ts',
      'export',
      'id-host.ts',
      'feeds.ts',
      'feeds',
      'public-address.ts',
      'published-site.ts',
      'reading.ts',
      'records',
      'restored-items.ts',
      'sandbox',
      'service.ts',
      'deployment.ts',
      'hosting.ts',
      'site-client.ts',
      'store',
      'version.ts',
    ],
    ...['collections', 'upstream', 'links', ...common],
  ],
  'main.ts': ['cli', 'config.ts', 'log.ts'],
}

/** Packages that belong to some parts alone. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  express: ['http', 'sandbox'],
  helmet: ['http'],
  eta: ['http', 'sandbox'],
  qrcode: ['http'],
  'image-size': ['upstream'],
  undici: ['upstream'],
  // The sandbox shares nothing with the service, so it keeps its own state.
  'node:sqlite': ['store', 'sandbox'],
  redis: ['store'],
  'node-cache': ['collections'],
  'ical-generator': ['calendar'],
  feed: ['syndication'],
  'sanitize-html': ['syndication'],
}

/** Pure parts: time and randomness come as arguments. */
const pure = ['records', 'calendar', 'syndication', 'signage', 'links', 'feeds', 'feeds.ts']

const files = globSync('**/*.ts', { cwd: source }).map((file) => {
  const code = readFileSync(join(source, file), 'utf8')
  return { file, part: partOf(file), code, imports: importsOf(code) }
})

function partOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function importsOf(code: string): readonly string[] {
  return [...code.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm)].map(
    ([, specifier = '']) => specifier,
  )
}

test('the rules cover every part of src', () => {
  const parts = new Set(files.map(({ part }) => part))
  expect([...parts].filter((part) => !(part in allowed))).toEqual([])
})

test('imports are found', () => {
  expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
})

test('files import only the parts that theirs may use', () => {
  const forbidden = files.flatMap(({ file, part, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => partOf(relative(source, join(source, dirname(file), specifier))))
      .filter((other) => other !== part && !allowed[part]?.includes(other))
      .map((other) => `${file} imports ${other}`),
  )
  expect(forbidden).toEqual([])
})

test('packages are used only where they belong', () => {
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
    .filter(({ part }) => pure.includes(part))
    .flatMap(({ file, code }) => impure.exec(code)?.map((use) => `${file}: ${use}`) ?? [])
  expect(found).toEqual([])
})

test('only config.ts reads the environment', () => {
  const found = files.filter(
    ({ file, code }) => file !== 'config.ts' && code.includes('process.env'),
  )
  expect(found.map(({ file }) => file)).toEqual([])
})
