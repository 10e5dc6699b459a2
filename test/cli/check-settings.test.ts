import { describe, expect, test } from 'vitest'
import {
  languageFindings,
  notificationFindings,
  storeFindings,
} from '../../src/cli/check-settings.ts'
import { readConfig } from '../../src/config/config.ts'
import { dovecotIsMissing, startDovecot } from '../support/dovecot.ts'
import { freePort } from '../support/free-port.ts'
import { startMailServer, startWebhookReceiver } from '../support/receivers.ts'
import { startRedis } from '../support/redis-server.ts'
import { redisIsMissing } from '../support/redis.ts'
import { testDirectory } from '../support/service.ts'
import { siteEnvironment } from '../support/site-environment.ts'
import { startWebsite } from '../support/website.ts'

const findings = (environment: Record<string, string>) =>
  notificationFindings(
    readConfig({ ...siteEnvironment, ALERT_MAIL: 'chief@example.org', ...environment }),
  )

test('tests mail servers and webhooks without sending anything or quoting secrets', async () => {
  const mail = await startMailServer({ user: 'feedhouse', password: 'right' })
  const webhook = await startWebhookReceiver()
  const good = await findings({ SMTP_URL: mail.url, ALERT_WEBHOOK: webhook.url })
  expect(good.map(({ check, ok }) => [check, ok])).toEqual([
    ['SMTP_URL', true],
    ['ALERT_WEBHOOK', true],
  ])
  const bad = await findings({
    SMTP_URL: mail.url.replace('right', 'SECRET'),
    CHANGE_WEBHOOKS: `http://127.0.0.1:${await freePort()}/SECRET`,
  })
  expect(bad).toMatchObject([
    {
      ok: false,
      sentence:
        'Emails cannot be sent, because the mail server rejects the user or password (535). Check SMTP_URL.',
    },
    { check: 'CHANGE_WEBHOOKS', ok: false },
  ])
  expect(JSON.stringify([good, bad])).not.toContain('SECRET')
  expect(mail.mails).toEqual([])
  expect(webhook.posts.map(({ method }) => method)).toEqual(['HEAD'])
})

test.skipIf(redisIsMissing)('reports a Redis server that can lose data', async () => {
  await using redis = await startRedis()
  const environment = { DATA_DIR: testDirectory(), REDIS_URL: redis.url }
  const config = readConfig({ ...siteEnvironment, ...environment })
  const sentence = expect.stringMatching(/does not save every change to disk \(appendonly no\)/)
  expect(await storeFindings(config)).toEqual([{ check: 'REDIS_URL', ok: false, sentence }])
})

describe.skipIf(dovecotIsMissing)('the mailbox for bounced emails', () => {
  test('is opened without reading any email, along with the mail server', async () => {
    const mail = await startMailServer({ user: 'feedhouse', password: 'right' })
    await using dovecot = await startDovecot()
    dovecot.deliver('Subject: Undelivered\n\n')
    const environment = {
      ALERT_MAIL: '',
      PUBLIC_URL: 'https://feeds.example.org',
      SMTP_URL: mail.url,
      MAIL_FROM: 'news@example.org',
      MAIL_FOLLOW: 'yes',
    }
    const good = await findings({ ...environment, MAIL_BOUNCES: dovecot.url })
    expect(good).toEqual([
      { check: 'SMTP_URL', ok: true, sentence: 'The mail server accepts the settings.' },
      { check: 'MAIL_BOUNCES', ok: true, sentence: 'The mailbox for bounced emails can be read.' },
    ])
    expect(dovecot.count()).toEqual({ read: 0, unread: 1 })
    const wrong = dovecot.url.replace('secret', 'SECRET')
    const [, bad] = await findings({ ...environment, MAIL_BOUNCES: wrong })
    expect(bad).toEqual({
      check: 'MAIL_BOUNCES',
      ok: false,
      sentence:
        'Bounced emails cannot be read, because the mail server rejects the user or password. Check MAIL_BOUNCES.',
    })
  })
})

const aboutLanguage = (language: string) =>
  languageFindings(readConfig({ ...siteEnvironment, SITE_LANGUAGE: language }))

test('says what a language other than the default affects', () => {
  expect(aboutLanguage('en-US')).toEqual([])
  expect(languageFindings(readConfig(siteEnvironment))).toEqual([])
  expect(aboutLanguage('NL-be')).toEqual([
    {
      check: 'SITE_LANGUAGE',
      ok: true,
      sentence:
        "Feeds declare their language as nl-BE, dates and times follow its region's format, and weeks start on Monday. Feedhouse's own text is in English.",
    },
  ])
})

test.for([
  ['en-GB', 'English'],
  ['de-AT', 'German'],
  ['es-US', 'Spanish'],
  ['pt-BR', 'English'],
])('says for SITE_LANGUAGE=%s that the text is in %s', ([language = '', own]) => {
  const [finding] = aboutLanguage(language)
  expect(finding?.sentence).toMatch(new RegExp(`as ${language}, .* text is in ${own}\\.$`))
})

const hydrants = 'hydrants=1 title:{number} {street}'
const gear = 'turnoutgear=2 title:{serial} {kind} date:retire name:Turnout gear'

test('lists the databases with their fields and settings that work', async () => {
  const { check } = await startWebsite()
  const { code, stdout } = await check({}, '--databases')
  expect(code).toBe(0)
  expect(stdout.split('\n').filter((line) => line.includes('Database '))).toEqual([
    `ok     Database 1, “Hydrants”, has 5 records with the fields number, street, color, gpm and notes. A setting that would work: DATABASE_FEEDS=${hydrants}`,
    `ok     Database 2, “Turnout gear”, has 120 records with the fields serial, kind and retire. A setting that would work: DATABASE_FEEDS=${gear}`,
  ])
})

test('accepts these settings', async () => {
  const { check } = await startWebsite()
  const { code, stdout } = await check({ DATABASE_FEEDS: `${hydrants}; ${gear}` })
  expect(code).toBe(0)
  expect(stdout.match(/The feed (?:hydrants|turnoutgear) shows it\./g)).toHaveLength(2)
})

test('reports wrong fields, dates and databases, with the nearest names', async () => {
  const { check } = await startWebsite()
  const setting = 'gear=2 title:{serail} {kind} date:kind fields:weight; tools=7 title:{name}'
  const { code, stdout } = await check({ DATABASE_FEEDS: setting })
  expect(code).toBe(1)
  expect(stdout.split('\n').filter((line) => line.startsWith('FAULT'))).toEqual([
    'FAULT  DATABASE_FEEDS names the database 7 in the feed tools, but the website has only 1 and 2.',
    'FAULT  DATABASE_FEEDS names the field serail in the feed gear, but the database 2 does not have it. Did you mean serial?',
    'FAULT  DATABASE_FEEDS names the field weight in the feed gear, but the database 2 does not have it. Its fields are serial, kind and retire.',
    'FAULT  The field kind in the feed gear has no dates like 2027-02-01, so gear.ics is empty.',
  ])
})

test('reads no records of databases that neither the settings nor the command names', async () => {
  const { check } = await startWebsite()
  const { stdout } = await check()
  expect(stdout).toContain(
    'databases: allowed, 2 records by default (not needed; check --databases lists',
  )
  expect(stdout).toContain('has used 14 of 30 API calls')
})
