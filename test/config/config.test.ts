import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { temporaryDirectory } from '../support/service.ts'
import { siteEnvironment } from '../support/site-environment.ts'

test('configures the demo if no setting is set', () => {
  expect(readConfig({})).toEqual({
    site: undefined,
    callsPerMinute: 30,
    callsPerDay: 5000,
    freshMs: 300_000,
    window: { pastDays: 400, futureDays: 550 },
    redisUrl: undefined,
    publicFeeds: undefined,
    publicUrl: undefined,
    isInCounty: false,
    hubs: [],
    notifications: {
      alerts: { mail: undefined, webhooks: [], quietHours: undefined, summaryDay: undefined },
      changeWebhooks: [],
      webhookSecret: undefined,
    },
    host: '127.0.0.1',
    port: 8080,
    proxies: 0,
    dataDirectory: resolve('data'),
    adminPassword: undefined,
    logLevel: 'info',
  })
})

test('reads every setting for a site', () => {
  const config = readConfig({
    ...siteEnvironment,
    PUBLIC_FEEDS: 'events, calendar',
    PORT: '0',
    SITE_COLOR: 'FireBrick',
    SITE_PLACE: 'Ashton, NY',
  })
  expect(config).toMatchObject({
    site: {
      url: 'https://www.example.org',
      refreshToken: 'secret-token',
      name: 'www.example.org',
      identity: { color: '#b22222', place: 'Ashton, NY' },
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
])('normalizes the public URL %s to %s', ([given, known]) => {
  expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(known)
})

test('treats an empty setting as if it were not set', () => {
  expect(readConfig({ PORT: '', SITE_URL: ' ' })).toEqual(readConfig({}))
})

test('publishes no feeds if PUBLIC_FEEDS is empty', () => {
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

test('accepts spaces or commas between the URLs of the website’s own pages', () => {
  const news = 'https://www.example.org/news/{id},a'
  const events = 'https://www.example.org/?q=1,id={id}'
  for (const separator of [' ', ', ', ',']) {
    const SITE_LINKS = ` news=${news}${separator}events=${events}\n`
    expect(readConfig({ ...siteEnvironment, SITE_LINKS }).site?.links).toEqual({ news, events })
  }
})

test('accepts spaces or commas between hub URLs', () => {
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

test('accepts numbers up to and including the limits that error messages state', () => {
  expect(readConfig({ PORT: '65535' }).port).toBe(65_535)
  const limits = { CALLS_PER_MINUTE: '30', FRESH_SECONDS: '86400' }
  expect(readConfig({ ...siteEnvironment, ...limits })).toMatchObject({
    callsPerMinute: 30,
    freshMs: 86_400_000,
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
