import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, type Config } from '../../src/config/config.ts'
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
    exportLanguages: [],
    exportPictures: [],
    hasDav: false,
    following: { mail: undefined, pushSubject: undefined },
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
    hasSetupPage: false,
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
    SITE_LANGUAGE: 'ES-pr',
  })
  expect(config).toMatchObject({
    site: {
      url: 'https://www.example.org',
      refreshToken: 'secret-token',
      name: 'www.example.org',
      identity: { color: '#b22222', place: 'Ashton, NY' },
      timeZone: 'America/New_York',
      language: 'es-PR',
      caPem: undefined,
      links: {},
    },
    publicFeeds: ['events', 'calendar'],
    port: 0,
  })
})

test('treats an empty setting as if it were not set', () => {
  expect(readConfig({ PORT: '', SITE_URL: ' ' })).toEqual(readConfig({}))
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

test('reads the pictures of an export', () => {
  const { exportPictures } = readConfig({ EXPORT_PICTURES: '800x480-2.png, 1200x825-2.bmp' })
  expect(exportPictures).toEqual(['800x480-2.png', '1200x825-2.bmp'])
})

test('reads the languages of an export in a fixed order', () => {
  expect(readConfig({ EXPORT_LANGUAGES: 'fr, EN fr' }).exportLanguages).toEqual(['en', 'fr'])
})

test.for<[name: string, text: string, read: Partial<Config>]>([
  ['PUBLIC_URL', 'https://Feeds.example.org/', { publicUrl: 'https://feeds.example.org' }],
  ['PUBLIC_URL', 'https://www.example.org/feeds/', { publicUrl: 'https://www.example.org/feeds' }],
  ['PUBLIC_FEEDS', '', { publicFeeds: [] }],
  ['REDIS_URL', 'redis://localhost', { redisUrl: 'redis://localhost' }],
  ['REDIS_URL', 'rediss://user:p%40ss@a.example:6380/2', {}],
  ['REDIS_URL', 'redis-cluster://a.example,b.example', {}],
  ['REDIS_URL', 'redis-sentinel://a.example,b.example/mymaster', {}],
  ['PORT', '65535', { port: 65_535 }],
  ['CALLS_PER_MINUTE', '30', { callsPerMinute: 30 }],
  ['FRESH_SECONDS', '86400', { freshMs: 86_400_000 }],
  ['TRUST_PROXY', 'off', { proxies: 0 }],
  ['TRUST_PROXY', '0', { proxies: 0 }],
  ['TRUST_PROXY', '10', { proxies: 10 }],
])('accepts %s=%s', ([name, text, read]) => {
  expect(readConfig({ [name]: text })).toMatchObject(read)
})

test.for([
  ['america/new_york', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['us/eastern', 'America/New_York'],
  ['US/East-Indiana', 'America/Indiana/Indianapolis'],
  ['Canada/Central', 'America/Winnipeg'],
  ['America/Yellowknife', 'America/Edmonton'],
  ['GB', 'Europe/London'],
  ['EST5EDT', 'America/New_York'],
  ['europe/kyiv', 'Europe/Kyiv'],
  ['Europe/Kiev', 'Europe/Kiev'],
  ['gmt', 'Etc/UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
] as const)('reads the time zone %s as %s', ([given, known]) => {
  const { site } = readConfig({ ...siteEnvironment, SITE_TIME_ZONE: given })
  expect(site?.timeZone).toBe(known)
})
