import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { readConfig } from '../../src/config/config.ts'
import { mergedEnvironment, settingsIn, type Environment } from '../../src/config/environment.ts'
import { settingsSchema } from '../../src/config/settings.ts'
import { temporaryDirectory } from '../support/service.ts'

const root = resolve(import.meta.dirname, '../..')

const siteEnvironment = {
  SITE_URL: 'https://www.example.org/',
  SITE_REFRESH_TOKEN: 'secret-token',
  SITE_TIME_ZONE: 'America/New_York',
}

function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
  }
  throw new Error('the settings were accepted')
}

test('configures the demo if nothing is set', () => {
  expect(readConfig({})).toEqual({
    site: undefined,
    callsPerMinute: 30,
    callsPerDay: 5000,
    freshMs: 300_000,
    window: { pastDays: 400, futureDays: 550 },
    redisUrl: undefined,
    publicFeeds: undefined,
    publicUrl: undefined,
    hubs: [],
    host: '127.0.0.1',
    port: 8080,
    proxies: 0,
    dataDirectory: resolve('data'),
    adminPassword: undefined,
    logLevel: 'info',
  })
})

test('reads all settings of a site', () => {
  const config = readConfig({ ...siteEnvironment, PUBLIC_FEEDS: 'events, calendar', PORT: '0' })
  expect(config).toMatchObject({
    site: {
      url: 'https://www.example.org',
      refreshToken: 'secret-token',
      name: 'www.example.org',
      timeZone: 'America/New_York',
      caPem: undefined,
      links: {},
    },
    publicFeeds: ['events', 'calendar'],
    port: 0,
  })
})

test.for([
  ['https://Feeds.example.org/', 'https://feeds.example.org'],
  ['https://www.example.org/feeds/', 'https://www.example.org/feeds'],
])('reads the public URL %s as %s', ([given, known]) => {
  expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(known)
})

test('treats an empty setting as not set', () => {
  expect(readConfig({ PORT: '', SITE_URL: ' ' })).toEqual(readConfig({}))
})

test('publishes no feed if PUBLIC_FEEDS is empty', () => {
  expect(readConfig({ PUBLIC_FEEDS: '' }).publicFeeds).toEqual([])
})

const zones = { 'america/new_york': 'America/New_York', 'Asia/Kolkata': 'Asia/Kolkata' }

test('normalizes the name of a time zone', () => {
  for (const [given, known] of Object.entries(zones)) {
    const { site } = readConfig({ ...siteEnvironment, SITE_TIME_ZONE: given })
    expect(site?.timeZone).toBe(known)
  }
})

test('accepts a Redis URL with user, password, database and TLS', () => {
  for (const address of ['redis://localhost', 'rediss://user:p%40ss@redis.example:6380/2']) {
    expect(readConfig({ REDIS_URL: address }).redisUrl).toBe(address)
  }
})

test('reads URLs of the website’s own pages, separated by spaces or commas', () => {
  const news = 'https://www.example.org/news/{id},a'
  const events = 'https://www.example.org/?q=1,id={id}'
  for (const separator of [' ', ', ', ',']) {
    const SITE_LINKS = ` news=${news}${separator}events=${events}\n`
    expect(readConfig({ ...siteEnvironment, SITE_LINKS }).site?.links).toEqual({ news, events })
  }
})

test('reads hubs separated by spaces or commas', () => {
  const hubs = ['https://a.example/', 'https://b.example/hub?x=1']
  for (const separator of [' ', ',', ', ']) {
    expect(readConfig({ WEBSUB_HUBS: hubs.join(separator) }).hubs).toEqual(hubs)
  }
})

test('reads a secret from a file', () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, 'token')
  writeFileSync(file, 'from-the-file\n')
  const { SITE_REFRESH_TOKEN: _, ...rest } = siteEnvironment
  const config = readConfig({ ...rest, SITE_REFRESH_TOKEN_FILE: file })
  expect(config.site?.refreshToken).toBe('from-the-file')
})

test('accepts numbers up to and including the limits in error messages', () => {
  expect(readConfig({ PORT: '65535' }).port).toBe(65_535)
  const limits = { CALLS_PER_MINUTE: '30', FRESH_SECONDS: '86400' }
  expect(readConfig({ ...siteEnvironment, ...limits })).toMatchObject({
    callsPerMinute: 30,
    freshMs: 86_400_000,
  })
})

describe('faults', () => {
  test.for([
    { setting: { PORT: 'abc' }, fault: 'PORT must be a whole number from 0 to 65535.' },
    { setting: { PORT: '65536' }, fault: 'PORT must be a whole number from 0 to 65535.' },
    {
      setting: { TRUST_PROXY: 'yes' },
      fault: 'TRUST_PROXY must be off or the number of proxies, 1 to 10.',
    },
    { setting: { PORT: '-1' }, fault: 'PORT must be a whole number from 0 to 65535.' },
    {
      setting: { CALLS_PER_MINUTE: '31' },
      fault: 'CALLS_PER_MINUTE must be a whole number from 1 to 30.',
    },
    {
      setting: { FRESH_SECONDS: '5' },
      fault: 'FRESH_SECONDS must be a whole number from 60 to 86400.',
    },
    ...['localhost:6379', 'https://redis.example', 'redis://host/abc', 'redis://:50%@host'].map(
      (address) => ({
        setting: { REDIS_URL: address },
        fault: 'REDIS_URL must be the URL of a Redis server, like redis://localhost:6379.',
      }),
    ),
    {
      setting: { PUBLIC_FEEDS: 'events,evnets' },
      fault:
        'PUBLIC_FEEDS must be a comma-separated list of: calendar, events, rental, signup, news, announcements.',
    },
    ...[
      'nonsense',
      'news=https://www.example.org/news',
      'news=https://www.example.org/{id},',
      'news=https://user:pass@www.example.org/{id}',
      'news=http://www.example.org/{id}',
      'news=https://{id}.example.org/',
      'news=javascript:alert({id})',
      'news=https://www.example.org/a b/{id}',
    ].map((links) => ({
      setting: { ...siteEnvironment, SITE_LINKS: links },
      fault: `SITE_LINKS must be like news=https://www.example.org/news/{id}, not like ${links}.`,
    })),
    {
      setting: {
        ...siteEnvironment,
        SITE_LINKS: 'news=https://a.example/{id},board=https://a.example/{id}',
      },
      fault:
        'SITE_LINKS names board, which is not a feed; the feeds are calendar, events, rental, signup, news, announcements.',
    },
    {
      setting: {
        ...siteEnvironment,
        SITE_LINKS: 'news=https://a.example/{id} news=https://b.example/{id}',
      },
      fault: 'SITE_LINKS has more than one URL for news.',
    },
    ...[
      'feeds.example.org',
      'ftp://feeds.example.org',
      'https://feeds.example.org/a/b',
      'https://feeds.example.org/A',
      'https://feeds.example.org/?a',
      'https://user@feeds.example.org',
    ].map((address) => ({
      setting: { PUBLIC_URL: address },
      fault:
        'PUBLIC_URL must be an http or https URL, like https://feeds.example.org or https://www.example.org/feeds.',
    })),
    ...[
      'http://a.example/',
      'hub',
      'https://u:p@a.example/',
      'https://a.example/#x',
      Array(6).fill('https://a.example/').join(' '),
    ].map((hubs) => ({
      setting: { WEBSUB_HUBS: hubs },
      fault: 'WEBSUB_HUBS must be at most 5 https URLs, like https://pubsubhubbub.appspot.com/.',
    })),
    ...[
      'https://a.example',
      'a.example:8443',
      'a.example/b',
      'u@a.example',
      'a_b.example',
      '[::1]',
    ].map((host) => ({
      setting: { ...siteEnvironment, ID_HOST: host },
      fault: 'ID_HOST must be a host name, like www.example.org.',
    })),
    {
      setting: { LOG_LEVEL: 'loud' },
      fault: 'LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent.',
    },
    {
      setting: { ...siteEnvironment, SITE_URL: 'http://www.example.org' },
      fault: 'SITE_URL must be an https URL without a path, like https://www.example.org.',
    },
    {
      setting: { ...siteEnvironment, SITE_URL: 'https://www.example.org/apps/api' },
      fault: 'SITE_URL must be an https URL without a path, like https://www.example.org.',
    },
    {
      setting: { ...siteEnvironment, SITE_TIME_ZONE: 'Eastern' },
      fault: 'SITE_TIME_ZONE must be a time zone, like America/New_York.',
    },
    {
      setting: { ...siteEnvironment, SITE_TIME_ZONE: 'EST' },
      fault:
        "SITE_TIME_ZONE must be a regional time zone, like America/New_York: EST, MST and HST don't observe daylight saving time.",
    },
    {
      setting: { ...siteEnvironment, SITE_TIME_ZONE: undefined },
      fault: 'SITE_TIME_ZONE is missing. It is required with SITE_URL.',
    },
    {
      setting: { SITE_REFRESH_TOKEN: 'secret-token' },
      fault: 'SITE_REFRESH_TOKEN is set, but SITE_URL is not.',
    },
    {
      setting: {
        ...siteEnvironment,
        SITE_REFRESH_TOKEN: undefined,
        SITE_REFRESH_TOKEN_FILE: '/nowhere/token',
      },
      fault: 'SITE_REFRESH_TOKEN_FILE names a file that does not exist: /nowhere/token.',
    },
  ])('$fault', ({ setting, fault }) => {
    expect(faultsOf(setting)).toContain(fault)
  })

  test('reports an unreadable or empty secret file once', () => {
    const { SITE_REFRESH_TOKEN: _, ...rest } = siteEnvironment
    expect(faultsOf({ ...rest, SITE_REFRESH_TOKEN_FILE: '/nowhere/token' })).toHaveLength(1)
    expect(faultsOf({ ...rest, SITE_REFRESH_TOKEN_FILE: '/dev/null' })).toEqual([
      '/dev/null (SITE_REFRESH_TOKEN_FILE) is empty.',
    ])
    expect(faultsOf({ ADMIN_PASSWORD_FILE: '/dev/null' })).toEqual([
      '/dev/null (ADMIN_PASSWORD_FILE) is empty.',
    ])
  })

  test('rejects a short admin password if PUBLIC_URL is https', () => {
    const https = { PUBLIC_URL: 'https://feeds.example.org' }
    expect(faultsOf({ ...https, ADMIN_PASSWORD: 'elevenchars' })).toEqual([
      'ADMIN_PASSWORD must have at least 12 characters when PUBLIC_URL is https.',
    ])
    expect(readConfig({ ...https, ADMIN_PASSWORD: 'twelve-chars' }).adminPassword).toBeDefined()
    expect(readConfig({ ADMIN_PASSWORD: 'short' }).adminPassword).toBe('short')
  })

  test('reports files with invalid content', () => {
    using directory = temporaryDirectory()
    const file = join(directory.path, 'ca.pem')
    writeFileSync(file, 'not a certificate')
    expect(faultsOf({ ...siteEnvironment, PLACES: file })).toEqual([
      'PLACES must name a JSON file with a list of at most 500 places.',
    ])
    expect(faultsOf({ ...siteEnvironment, SITE_CA_FILE: file })).toEqual([
      'SITE_CA_FILE must name a PEM file with a certificate.',
    ])
  })

  test('are all reported in a single error', () => {
    expect(faultsOf({ PORT: 'x', HOST: '::1', LOG_LEVEL: 'y', SITE_URL: 'z' })).toHaveLength(5)
  })

  test('never reveal a secret', () => {
    expect(faultsOf({ ...siteEnvironment, SITE_URL: 'x', PORT: 'y' }).join()).not.toContain(
      'secret',
    )
  })
})

test('reads a .env file, but prefers the environment', () => {
  using directory = temporaryDirectory()
  writeFileSync(
    join(directory.path, '.env'),
    '\uFEFFFEEDHOUSE_TEST_ONLY=from-file\r\nPATH=from-file\r\n',
  )
  const environment = mergedEnvironment(directory.path)
  expect(environment['FEEDHOUSE_TEST_ONLY']).toBe('from-file')
  expect(environment['PATH']).toBe(process.env['PATH'])
  expect(mergedEnvironment(root)['FEEDHOUSE_TEST_ONLY']).toBeUndefined()
})

test('reports lines in the .env file that set nothing, without quoting them', () => {
  using directory = temporaryDirectory()
  const lines = [
    '# Settings',
    '',
    'PUBLIC_FEEDS events',
    'SITE_LINKS="{',
    '  nothing here',
    '}"',
    'export PORT=1234',
    'TRUST_PROXY: 1',
  ]
  writeFileSync(join(directory.path, '.env'), lines.join('\n'))
  expect(settingsIn(directory.path, {}).faults).toEqual([
    'Line 3 of .env is ignored: write NAME=value.',
    'Line 8 of .env is ignored: write NAME=value.',
  ])
})

test('reports a misspelled setting in the .env file along with the other faults', () => {
  using directory = temporaryDirectory()
  const lines = ['SITE_TIMEZONE=America/New_York', 'PORT=x', 'COMPOSE_PROJECT_NAME=feedhouse']
  writeFileSync(join(directory.path, '.env'), lines.join('\n'))
  const { environment, faults } = settingsIn(directory.path)
  const read = () => readConfig(environment, faults)
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(
    'In .env: Unknown setting SITE_TIMEZONE; did you mean SITE_TIME_ZONE?\nPORT must be',
  )
})

describe('every setting is documented', () => {
  const names = Object.keys(settingsSchema.shape)

  test('.env.example lists every setting and nothing else', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    const written = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(written).toEqual(names)
  })

  test('README.md lists every setting with its default, and nothing else', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| ([^|]*?) +\|/gm)]
    expect(rows.map(([, name]) => name)).toEqual(names)
    for (const [name, schema] of Object.entries(settingsSchema.shape)) {
      const { data: preset } = schema.safeParse(undefined)
      if (preset === undefined || typeof preset === 'object') continue
      expect(rows.find(([, written]) => written === name)?.[2]).toBe(`\`${preset.toString()}\``)
    }
  })

  test('docs/settings.md explains every setting', () => {
    const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8')
    const explained = [...settings.matchAll(/\*\*`([A-Z_]+)`\*\*/g)].map(([, name]) => name)
    expect(explained).toEqual(names)
  })
})

test.for([
  ['off', 0],
  ['0', 0],
  ['1', 1],
  ['10', 10],
] as const)('TRUST_PROXY=%s means %i proxies', ([value, proxies]) => {
  expect(readConfig({ TRUST_PROXY: value }).proxies).toBe(proxies)
})
