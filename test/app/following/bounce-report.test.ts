import { expect, test } from 'vitest'
import { endTokenIn, failedRecipients } from '../../../src/app/following/bounce-report.ts'

const token = 'a2'.repeat(32)
const fields = (...groups: readonly string[]) => ({ status: groups.join('\n\n'), returned: '' })
const failed = (field: string) =>
  fields('Reporting-MTA: dns; a', `Final-Recipient: rfc822; a@example.org\n${field}`)

test.for([
  ['Action: failed\nStatus: 5.1.1', '5.1.1'],
  ['ACTION:failed\r\nSTATUS:5.7.26 (unauthenticated)', '5.7.26'],
  ['Status: 5.0.0\nAction: failed (permanent)\nDiagnostic-Code: smtp; 4.1.1', '5.0.0'],
  ['Action: failed\nStatus:\n 5.2.2', '5.2.2'],
] as const)('finds a recipient who can never be reached: %s', ([field, status]) => {
  expect(failedRecipients(failed(field))).toEqual([{ address: 'a@example.org', status }])
})

test.for([
  'Action: delayed\nStatus: 4.4.1',
  'Action: failed\nStatus: 4.4.7',
  'Action: delayed\nStatus: 5.1.1',
  'Action: relayed\nStatus: 2.0.0',
  'Action: expanded\nStatus: 5.1.1',
  'Action: failed',
  'Status: 5.1.1',
  'X-Action: failed\nStatus: 5.1.1',
  'Action: failed\nStatus: 5.1',
])('ignores everything else: %s', (field) => {
  expect(failedRecipients(failed(field))).toEqual([])
})

test('reads each recipient separately', () => {
  const report = fields(
    'Reporting-MTA: dns; a\nAction: failed\nStatus: 5.1.1',
    'Final-Recipient: rfc822;<a@example.org>\nAction: delayed\nStatus: 4.2.2',
    'Final-Recipient: utf-8; b@example.org\nAction: failed\nStatus: 5.2.1',
  )
  expect(failedRecipients(report)).toEqual([{ address: 'b@example.org', status: '5.2.1' }])
})

test.for([
  `List-Unsubscribe: <https://feeds.example.org/a/follow/end/${token}>`,
  `List-Unsubscribe:\r\n <https://feeds.example.org/follow/end/${token}>\r\nX: y`,
  `List-Unsubscribe: <https://feeds.example.org/follow/end/${token.slice(0, 9)}\r\n\t${token.slice(9)}>`,
])('finds the token in the returned email: %s', (returned) => {
  expect(endTokenIn({ status: '', returned })).toBe(token)
})

test.for(['', `/follow/manage/${token}`, `/follow/end/${token}a`, '/follow/end/a'])(
  'ignores other tokens: %s',
  (returned) => {
    expect(endTokenIn({ status: '', returned })).toBeUndefined()
  },
)

test('parses 64 kB of hostile text quickly', () => {
  const started = performance.now()
  for (const unit of ['\n', '\r\n ', ' ', 'a', 'Final-Recipient:', '/follow/end/', '\n\t\r']) {
    const hostile = unit.repeat(65_536 / unit.length)
    failedRecipients({ status: hostile, returned: '' })
    endTokenIn({ status: '', returned: hostile })
  }
  expect(performance.now() - started).toBeLessThan(1_000)
})
