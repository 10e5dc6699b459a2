import { expect, test } from 'vitest'
import {
  mailboxOf,
  maskedAddress,
  maxAddressLength,
  readMailAddress,
} from '../../src/followers/mail-address.ts'

const label = 'a'.repeat(63)
const longest = `${'n'.repeat(64)}@${label}.${label}.${'b'.repeat(61)}`

test.for([
  ['n@example.org', 'n@example.org'],
  ['  n@example.org\r\n', 'n@example.org'],
  ['First.Last+tag@Example.ORG', 'First.Last+tag@example.org'],
  ["o'neil_{x}@mail.example.co.uk", "o'neil_{x}@mail.example.co.uk"],
  ['a..b@example.org', 'a..b@example.org'],
  ['n@feuerwehr-münchen.de', 'n@xn--feuerwehr-mnchen-tzb.de'],
  ['n@例え.テスト', 'n@xn--r8jz45g.xn--zckzah'],
  [longest, longest],
])('accepts %s', ([entered = '', address]) => {
  expect(readMailAddress(entered)).toEqual({ ok: true, address })
})

test.for([
  ['', 'missing'],
  [' \t\n', 'missing'],
  ['neighbor', 'invalid'],
  ['@example.org', 'invalid'],
  ['n@', 'invalid'],
  ['n@example', 'invalid'],
  ['n@example.', 'invalid'],
  ['n@.example.org', 'invalid'],
  ['n@example..org', 'invalid'],
  ['n@-example.org', 'invalid'],
  ['n@example.org.', 'invalid'],
  ['n@192.0.2.1', 'invalid'],
  ['n@192.0.2.10', 'invalid'],
  ['n@[192.0.2.1]', 'invalid'],
  ['n m@example.org', 'invalid'],
  ['"n m"@example.org', 'invalid'],
  ['n@m@example.org', 'invalid'],
  ['n@example.org,m@example.org', 'invalid'],
  ['N <n@example.org>', 'invalid'],
  ['n@ex%61mple.org', 'invalid'],
  ['n\r\nBcc: m@example.org', 'invalid'],
  ['n@example.org\r\nBcc: m@example.org', 'invalid'],
  ['n\0@example.org', 'invalid'],
  ['n\u00AD@example.org', 'invalid'],
  ['ñ@example.org', 'invalid'],
  [`${'n'.repeat(65)}@example.org`, 'invalid'],
  [`${longest}b`, 'too long'],
  [`n@${'ü.'.repeat(60)}de`, 'too long'],
])('rejects %j', ([entered = '', fault]) => {
  expect(readMailAddress(entered)).toEqual({ ok: false, fault })
})

test('accepts addresses with as many characters as a mail server does', () => {
  expect(longest.length).toBe(maxAddressLength)
})

test('rejects a megabyte at once', () => {
  const startedAt = performance.now()
  expect(readMailAddress(`a@${'a.'.repeat(500_000)}`)).toEqual({ ok: false, fault: 'too long' })
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test('masks all but the first character and the host', () => {
  expect(maskedAddress('neighbor@example.org')).toBe('n…@example.org')
})

test.for([
  [
    'neighbor@example.org',
    ['Neighbor@EXAMPLE.org', 'neighbor+news@example.org', ' neighbor+@example.org'],
  ],
  [
    'ab@gmail.com',
    ['a.b@gmail.com', 'A.B+x.y@GoogleMail.com', '.a..b.@gmail.com', 'ab@googlemail.com'],
  ],
  ['a.b@example.org', ['a.b@example.org']],
  ['a.b@gmail.com.example.org', ['a.b@gmail.com.example.org']],
  ['+x@example.org', ['+x@example.org']],
] as const)('recognizes the mailbox %s', ([mailbox, spellings]) => {
  expect(spellings.map(mailboxOf)).toEqual(spellings.map(() => mailbox))
})
