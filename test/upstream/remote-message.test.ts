import { expect, test } from 'vitest'
import { pageTitleFrom, sanitizeRemoteMessage } from '../../src/upstream/remote-message.ts'

test.for([
  { name: 'a sentence', text: ' Not\n allowed. ', said: 'Not allowed.' },
  { name: 'control characters', text: '\u001b[31mred\u0007', said: '[31mred' },
  { name: 'a token', text: `Token ${'aB3_'.repeat(11)} is unknown`, said: 'Token ... is unknown' },
  { name: 'nothing', text: ' ', said: undefined },
  { name: 'no text', text: { a: 1 }, said: undefined },
  { name: 'too much', text: 'word '.repeat(100), said: `${'word '.repeat(40)}...` },
])('$name is made fit to be read by people', ({ text, said }) => {
  expect(sanitizeRemoteMessage(text)).toBe(said)
})

test.for([
  { type: 'text/html; charset=utf-8', text: '<title>Log in</title>', title: 'Log in' },
  { type: '', text: ' <!DOCTYPE html><html><head></head>', title: '' },
  { type: 'text/plain', text: 'Bad gateway', title: undefined },
])('the title of a page is $title', ({ type, text, title }) => {
  expect(pageTitleFrom(type, text)).toBe(title)
})
