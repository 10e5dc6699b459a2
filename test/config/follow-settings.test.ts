import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { faultsOf, siteEnvironment } from '../support/site-environment.ts'

const complete = {
  SMTP_URL: 'smtp://localhost:2525',
  PUBLIC_URL: 'https://feeds.example.org',
  MAIL_FOLLOW: 'yes',
  MAIL_FROM: 'news@example.org',
}

const read = (environment: Environment) =>
  readConfig({ ...siteEnvironment, ...environment }).following

test('emails and notifications are off by default', () => {
  expect(read({})).toEqual({ mail: undefined, pushSubject: undefined })
  expect(read({ MAIL_FOLLOW: 'no' }).mail).toBeUndefined()
})

test('reads the settings for emails and notifications', () => {
  const { mail, pushSubject } = read({
    ...complete,
    MAIL_POSTAL_ADDRESS: '1 Main Street, Cedar Hollow, NY 10000',
    PUSH_SUBJECT: 'mailto:web@example.org',
  })
  expect(mail).toMatchObject({
    server: { host: 'localhost', port: 2525 },
    from: 'news@example.org',
    postalAddress: '1 Main Street, Cedar Hollow, NY 10000',
    maxPerDay: 400,
  })
  expect(pushSubject).toBe('mailto:web@example.org')
  expect(read({ ...complete, MAIL_PER_DAY: '500' }).mail?.maxPerDay).toBe(500)
})

test.each([
  [{ SMTP_URL: undefined }, ['MAIL_FOLLOW requires SMTP_URL, the mail server to use.']],
  [{ MAIL_FROM: undefined }, ['MAIL_FOLLOW requires MAIL_FROM, the address of the sender.']],
  [{ PUBLIC_URL: undefined }, ['MAIL_FOLLOW requires PUBLIC_URL for the links in emails.']],
  [{ MAIL_FOLLOW: undefined }, ['MAIL_FROM is set, but MAIL_FOLLOW is not.']],
  [
    { MAIL_FOLLOW: 'maybe' },
    ['MAIL_FOLLOW must be yes or no.', 'MAIL_FROM is set, but MAIL_FOLLOW is not.'],
  ],
  [
    { MAIL_POSTAL_ADDRESS: '1 Main Street\nCedar Hollow' },
    ['MAIL_POSTAL_ADDRESS must be one line.'],
  ],
  [{ MAIL_PER_DAY: '0' }, ['MAIL_PER_DAY must be a whole number from 1 to 1000000.']],
  [
    { PUSH_SUBJECT: 'web@example.org' },
    ['PUSH_SUBJECT must be a contact address, like mailto:web@example.org.'],
  ],
  [
    { REDIS_URL: 'redis://localhost:6379' },
    ['MAIL_KEY is missing. MAIL_FOLLOW and PUSH_SUBJECT require it with REDIS_URL.'],
  ],
  [{ MAIL_KEY: 'short' }, ['MAIL_KEY must have at least 24 characters.']],
])('explains what is wrong with %j', (changed, expected) => {
  const faults = faultsOf({ ...siteEnvironment, ...complete, ...changed })
  expect(faults).toEqual(expected)
})
