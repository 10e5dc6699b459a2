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
  expect(read({})).toEqual({
    mail: undefined,
    bounces: undefined,
    pushSubject: undefined,
  })
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
  ['imaps://a%40b:p%2F@mail.example.org', { port: 993, secure: true, name: 'INBOX' }],
  ['imaps://a:p@mail.example.org:994/', { port: 994, secure: true, name: 'INBOX' }],
  [
    'imap://a:p@mail.example.org/Bounces%2F2026',
    { port: 143, secure: false, name: 'Bounces/2026' },
  ],
])('reads the mailbox for bounced emails: %s', (url, { name, ...server }) => {
  const { bounces } = read({ ...complete, MAIL_BOUNCES: url })
  expect(bounces).toMatchObject({ name, server: { ...server, host: 'mail.example.org' } })
  const isEncoded = url.includes('%40')
  expect(bounces?.auth).toEqual(isEncoded ? { user: 'a@b', pass: 'p/' } : { user: 'a', pass: 'p' })
})

const mailboxFault =
  'MAIL_BOUNCES must be the URL of a mailbox, like imaps://user:password@mail.example.org/INBOX.'

test.each([
  'mail.example.org',
  'imaps://mail.example.org/INBOX',
  'imaps://a@mail.example.org/INBOX',
  'smtps://a:p@mail.example.org',
  'imaps://a:p@mail.example.org/INBOX?x=1',
])('rejects %s as a mailbox for bounced emails', (url) => {
  const settings = { ...siteEnvironment, ...complete, MAIL_BOUNCES: url }
  expect(faultsOf(settings)).toEqual([mailboxFault])
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
    { REDIS_URL: 'redis://localhost:6379' },
    ['MAIL_KEY is missing. MAIL_FOLLOW and PUSH_SUBJECT require it with REDIS_URL.'],
  ],
  [{ MAIL_KEY: 'short' }, ['MAIL_KEY must have at least 24 characters.']],
])('explains what is wrong with %j', (changed, expected) => {
  const faults = faultsOf({ ...siteEnvironment, ...complete, ...changed })
  expect(faults).toEqual(expected)
})

const subjectFaults = {
  form: 'must be a contact address, like mailto:web@example.org.',
  brackets: 'must not contain angle brackets. Write it like mailto:web@example.org.',
  local:
    'must be an address with a host name on the internet. Apple refuses local names and private addresses, so iPhones would get no notifications.',
}

test.for([
  ['web@example.org', subjectFaults.form],
  ['mailto:', subjectFaults.form],
  ['mailto:example.org', subjectFaults.form],
  ['mailto:a@example.org,b@example.org', subjectFaults.form],
  ['mailto:web@example.org?subject=a', subjectFaults.form],
  ['mailto: web@example.org', subjectFaults.form],
  ['http://www.example.org/', subjectFaults.form],
  ['https://user:password@www.example.org/', subjectFaults.form],
  ['https://', subjectFaults.form],
  ['https://www.example.org/a b', subjectFaults.form],
  ['mailto:<web@example.org>', subjectFaults.brackets],
  ['<mailto:web@example.org>', subjectFaults.brackets],
  ['<https://www.example.org/>', subjectFaults.brackets],
  ['mailto:web@localhost', subjectFaults.local],
  ['mailto:web@localhost.localdomain', subjectFaults.local],
  ['mailto:web@station.LOCAL', subjectFaults.local],
  ['mailto:web@printer.home.arpa', subjectFaults.local],
  ['mailto:web@station.lan.', subjectFaults.local],
  ['mailto:web@192.168.1.2', subjectFaults.local],
  ['mailto:web@[192.168.1.2]', subjectFaults.local],
  ['https://localhost/contact', subjectFaults.local],
  ['https://server:8443/', subjectFaults.local],
  ['https://feeds.internal/', subjectFaults.local],
  ['https://./', subjectFaults.local],
  ['https://10.0.0.5/', subjectFaults.local],
  ['https://0x7f.1/', subjectFaults.local],
  ['https://[fd00::1]/', subjectFaults.local],
] as const)('refuses %s as PUSH_SUBJECT', ([PUSH_SUBJECT, sentence]) => {
  expect(faultsOf({ ...siteEnvironment, PUSH_SUBJECT })).toEqual([`PUSH_SUBJECT ${sentence}`])
})

test.for([
  'mailto:web@example.org',
  'mailto:Web.Master+push@fire-dept.example.org',
  'mailto:web@localfire.org',
  'https://www.example.org/contact?for=push',
  'https://www.example.org:8443/',
])('accepts %s as PUSH_SUBJECT', (PUSH_SUBJECT) => {
  expect(read({ PUSH_SUBJECT }).pushSubject).toBe(PUSH_SUBJECT)
})
