import { expect, test } from 'vitest'
import {
  endTokenIn,
  failureStatus,
  isForwardFailure,
  needsExplanation,
  plainBounce,
} from '../../../src/delivery/following/bounce-report.ts'

const token = 'a2'.repeat(32)
const address = 'a@example.org'
const report = (status: string, explanation = '', failedRecipients = '') => ({
  status,
  explanation,
  failedRecipients,
  returned: '',
})
const failed = (fields: string, explanation = '') =>
  report(`Reporting-MTA: dns; a\n\nFinal-Recipient: rfc822; ${address}\n${fields}`, explanation)

test.for([
  ['Action: failed\nStatus: 5.1.1', '5.1.1'],
  ['ACTION:failed\r\nSTATUS:5.7.26 (unauthenticated)', '5.7.26'],
  ['Action: failed\nStatus:\n 5.2.2', '5.2.2'],
  ['Action: failed\nStatus: 4.4.7', '4.4.7'],
  ['Action: failed\nStatus: 5.1.1\nDiagnostic-Code: SMTP; 550 5.7.1 no', '5.7.1'],
  ['Action: failed\nStatus: 5.1.1\nDiagnostic-Code: SMTP; 550 blocked', '5.0.0'],
  ['Action: failed\nStatus: 5.1.1\nDiagnostic-Code: x-unix; user unknown', '5.1.1'],
  ['Action: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; 550 blocked', '5.7.1'],
  ['Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.1.1 no such user', '5.1.1'],
  ['Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550-host\n 5.1.10 unknown', '5.1.10'],
  ['Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 553 no mailbox (#5.1.1)', '5.1.1'],
  ['Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 host 5.1.1.7 says no', '5.0.0'],
  ['Status: 5.0.0\nAction: failed (permanent)\nDiagnostic-Code: smtp; 4.1.1', '5.0.0'],
  ['Action: failed\nStatus: 5.0.0', '5.0.0'],
] as const)('finds a recipient who can never be reached: %s', ([fields, status]) => {
  expect(failureStatus(failed(fields), address)).toBe(status)
})

test.for([
  'Action: delayed\nStatus: 4.4.1',
  'Action: delayed\nStatus: 5.1.1',
  'Action: relayed\nStatus: 2.0.0',
  'Action: expanded\nStatus: 5.1.1',
  'Action: failed',
  'Status: 5.1.1',
  'X-Action: failed\nStatus: 5.1.1',
  'Action: failed\nStatus: 5.1',
])('ignores everything else: %s', (fields) => {
  expect(failureStatus(failed(fields), address)).toBeUndefined()
})

test('reads each recipient separately', () => {
  const fields = [
    'Reporting-MTA: dns; a\nAction: failed\nStatus: 5.1.1',
    'Final-Recipient: rfc822;<a@example.org>\nAction: delayed\nStatus: 4.2.2',
    'Final-Recipient: utf-8; B@example.org\nAction: failed\nStatus: 5.2.1',
  ].join('\n\n')
  expect(failureStatus(report(fields), address)).toBeUndefined()
  expect(failureStatus(report(fields), 'b@EXAMPLE.org')).toBe('5.2.1')
  expect(failureStatus(report(fields), 'c@example.org')).toBeUndefined()
})

test.for([
  [`Final-Recipient: rfc822; x@example.net\nOriginal-Recipient: rfc822;${address}`, ''],
  [`Final-Recipient: rfc822; ${address}\nX-Actual-Recipient: rfc822; x@example.net`, ''],
  [`Final-Recipient: rfc822; ${address}`, 'x@example.net'],
  [`Final-Recipient: rfc822; ${address}`, 'x@example.net,\r\n b@example.net'],
] as const)('ignores who was reached through an alias: %s', ([recipients, failedRecipients]) => {
  const status = `${recipients}\nAction: failed\nStatus: 5.1.1`
  const bounce = report(status, '', failedRecipients)
  expect(failureStatus(bounce, address)).toBeUndefined()
  expect(isForwardFailure(bounce, address)).toBe(true)
  const delay = report(status.replace('failed', 'delayed'), '', failedRecipients)
  expect(isForwardFailure(delay, address)).toBe(false)
})

test.for([address, 'A@Example.org', `b@example.net, ${address}`])(
  'finds an address among the failed recipients: %s',
  (failedRecipients) => {
    const status = `Final-Recipient: rfc822; ${address}\nX-Actual-Recipient: rfc822; ${address}`
    const failure = `${status}\nAction: failed\nStatus: 5.1.1`
    const bounce = report(failure, '', failedRecipients)
    expect(failureStatus(bounce, address)).toBe('5.1.1')
    expect(isForwardFailure(bounce, address)).toBe(false)
  },
)

test('reads the reason from the text if the fields do not give it', () => {
  const text = 'ba@example.org: 550 5.7.1 no\n'
  const fields = 'Action: failed\nStatus: 5.0.0'
  expect(needsExplanation(fields)).toBe(true)
  expect(needsExplanation(`${fields}\nDiagnostic-Code: smtp; 550 no`)).toBe(false)
  expect(failureStatus(failed(fields, 'a@example.org: 550 5.2.1 off'), address)).toBe('5.2.1')
  expect(failureStatus(failed(fields, text), address)).toBe('5.0.0')
})

test('counts an email that OpenSMTPD could not deliver in time', () => {
  const fields = 'Action: delayed\nStatus: 4.4.7'
  const expired = 'a@example.org: Envelope expired\n'
  expect(failureStatus(failed(fields, expired), address)).toBe('4.4.7')
  expect(failureStatus(failed(fields, `b${expired}`), address)).toBeUndefined()
  expect(failureStatus(failed(fields, 'a@example.org: 450 try later'), address)).toBeUndefined()
})

test.for([
  ['<a@example.org>:\nRemote host said: 550 sorry, no mailbox here by that name (#5.1.1)', '5.1.1'],
  ['delivering to <a@example.org>.\n\n550 No such user', '5.0.0'],
  ['<a@example.org>.\n\nCould not deliver for the last 432000 seconds. Giving up.', '4.4.7'],
  ["<a@example.org>:\nI'm not going to try again; this message is too old.", '4.4.7'],
  ['<a@example.org>: 4.4.1 no answer, will be tried for 5 days', undefined],
  ['<other@example.org>: 550 5.1.1 unknown', undefined],
  ['<a@example.org> is on vacation', undefined],
] as const)('reads a bounce of plain text: %s', ([text, status]) => {
  const headers = `Received: from x\nTo: a@example.org\nList-Unsubscribe:\n <https://example.org/follow/end/${token}>\nX: y\n`
  const bounce = plainBounce(`${text}\n\nThe headers follow.\n\n${headers}`)
  expect(endTokenIn(bounce)).toBe(token)
  expect(failureStatus(bounce, address)).toBe(status)
})

test.for([
  `<${address}>: 550 5.1.1\n\n> List-Unsubscribe: <https://example.org/follow/end/${token}>`,
  `<${address}>: 550 5.1.1\n\nFrom: Cedar\n\nStop: https://example.org/follow/end/${token}`,
])('ignores a token that a person could have quoted: %s', (text) => {
  expect(endTokenIn(plainBounce(text))).toBeUndefined()
})

test.for([
  `List-Unsubscribe: <https://feeds.example.org/a/follow/end/${token}>`,
  `List-Unsubscribe:\r\n <https://feeds.example.org/follow/end/${token}>\r\nX: y`,
  `List-Unsubscribe: <https://feeds.example.org/follow/end/${token.slice(0, 9)}\r\n\t${token.slice(9)}>`,
])('finds the token in the returned email: %s', (returned) => {
  expect(endTokenIn({ ...report(''), returned })).toBe(token)
})

test.for(['', `/follow/manage/${token}`, `/follow/end/${token}a`, '/follow/end/a'])(
  'ignores other tokens: %s',
  (returned) => {
    expect(endTokenIn({ ...report(''), returned })).toBeUndefined()
  },
)

test('parses 64 kB of hostile text quickly', () => {
  const started = performance.now()
  const units = '\n,\r\n ,\n ,5.1.1,550 ,Received:, ,a,Final-Recipient:,/follow/end/,\n\t\r'.split(
    ',',
  )
  for (const unit of [...units, address, 'List-Unsubscribe:\n ']) {
    const hostile = unit.repeat(65_536 / unit.length)
    failureStatus(failed(hostile, hostile), address)
    failureStatus(plainBounce(hostile), address)
    endTokenIn({ ...report(''), returned: hostile })
  }
  expect(performance.now() - started).toBeLessThan(1_000)
})
