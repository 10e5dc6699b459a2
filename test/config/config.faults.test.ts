import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { temporaryDirectory } from '../support/service.ts'
import { faultsOf, siteEnvironment } from '../support/site-environment.ts'

describe('reading the configuration', () => {
  test.for([
    { setting: { PORT: 'abc' }, fault: 'PORT must be a whole number from 0 to 65535.' },
    { setting: { PORT: '65536' }, fault: 'PORT must be a whole number from 0 to 65535.' },
    {
      setting: { TRUST_PROXY: 'yes' },
      fault: 'TRUST_PROXY must be off or the number of proxies, 1 to 10.',
    },
    { setting: { MAKERS: '0' }, fault: 'MAKERS must be a whole number from 1 to 64.' },
    { setting: { MAKERS: '65' }, fault: 'MAKERS must be a whole number from 1 to 64.' },
    { setting: { SITES_URL: 'https://x.org' }, fault: 'SITES_URL is set, but SITES_FILE is not.' },
    { setting: { COUNTY_NAME: 'Cedar' }, fault: 'COUNTY_NAME is set, but SITES_FILE is not.' },
    {
      setting: { COUNTY_LISTING: 'yes' },
      fault: 'COUNTY_LISTING is set, but SITES_FILE is not.',
    },
    {
      setting: { SITES_FILE: 'sites.json', COUNTY_NAME: 'Cedar' },
      fault: 'COUNTY_NAME is set, but SITES_URL is not.',
    },
    { setting: { SITES_PASSWORD: 'x' }, fault: 'SITES_PASSWORD is set, but SITES_FILE is not.' },
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
      setting: { ...siteEnvironment, SITE_COLOR: '#b32' },
      fault: 'SITE_COLOR must be six hex digits, like b3261e, or a color name, like firebrick.',
    },
    {
      setting: { ...siteEnvironment, SITE_PLACE: 'Cedar Hollow\nNew York' },
      fault: 'SITE_PLACE must be one line, like Cedar Hollow, NY.',
    },
    {
      setting: { ...siteEnvironment, SITE_PLACE: 'x'.repeat(61) },
      fault: 'SITE_PLACE must have at most 60 characters.',
    },
    {
      setting: { ...siteEnvironment, SITE_LOGO: 'missing.png' },
      fault: 'SITE_LOGO names a file that does not exist: missing.png.',
    },
    ...['package.json', 'http://www.example.org/logo.png'].map((logo) => ({
      setting: { ...siteEnvironment, SITE_LOGO: logo },
      fault:
        'SITE_LOGO must be an https URL, or the path of a file that ends in .png, .jpg, .webp, .gif or .svg.',
    })),
    { setting: { SITE_COLOR: 'red' }, fault: 'SITE_COLOR is set, but SITE_URL is not.' },
    ...['events,evnets', 'events,forum'].map((list) => ({
      setting: { PUBLIC_FEEDS: list },
      fault:
        'PUBLIC_FEEDS must be a comma-separated list of: calendar, events, rental, signup, news, announcements, minutes, documents, guestbook.',
    })),
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
        'SITE_LINKS names board, which is not a feed; the feeds are calendar, events, rental, signup, news, announcements, minutes, documents, guestbook, forum, training, presentations, quizzes.',
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
    {
      setting: { PUBLIC_URL: `https://${'a'.repeat(61)}.example.org` },
      fault: 'PUBLIC_URL must have at most 80 characters.',
    },
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
  ])('reports: $fault', ({ setting, fault }) => {
    expect(faultsOf(setting)).toContain(fault)
  })

  test('reports an unreadable or empty secret file only once', () => {
    const { SITE_REFRESH_TOKEN: _, ...rest } = siteEnvironment
    expect(faultsOf({ ...rest, SITE_REFRESH_TOKEN_FILE: '/nowhere/token' })).toHaveLength(1)
    expect(faultsOf({ ...rest, SITE_REFRESH_TOKEN_FILE: '/dev/null' })).toEqual([
      '/dev/null (SITE_REFRESH_TOKEN_FILE) is empty.',
    ])
    expect(faultsOf({ ADMIN_PASSWORD_FILE: '/dev/null' })).toEqual([
      '/dev/null (ADMIN_PASSWORD_FILE) is empty.',
    ])
  })

  test('rejects a short admin password if PUBLIC_URL uses https', () => {
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

  test('reports all faults in a single error', () => {
    expect(faultsOf({ PORT: 'x', HOST: '::1', LOG_LEVEL: 'y', SITE_URL: 'z' })).toHaveLength(5)
  })

  test('never reveals a secret', () => {
    expect(faultsOf({ ...siteEnvironment, SITE_URL: 'x', PORT: 'y' }).join()).not.toContain(
      'secret',
    )
  })
})
