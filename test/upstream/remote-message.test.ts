import { expect, test } from 'vitest'
import { pageTitleFrom, sanitizeRemoteMessage } from '../../src/upstream/remote-message.ts'

test.for([
  { name: 'a sentence', text: ' Not\n allowed. ', shown: 'Not allowed.' },
  { name: 'control characters', text: '\u001b[31mred\u0007', shown: '[31mred' },
  { name: 'directions of text', text: 'a\u202eb\u2069c', shown: 'abc' },
  { name: 'a token', text: `Token ${'aB3_'.repeat(11)} is unknown`, shown: 'Token ... is unknown' },
  { name: 'nothing', text: ' ', shown: undefined },
  { name: 'an object', text: { a: 1 }, shown: undefined },
  { name: '200 characters', text: `${'ab '.repeat(66)}ab`, shown: `${'ab '.repeat(66)}ab` },
  { name: 'a long text', text: 'word '.repeat(100), shown: `${'word '.repeat(40)}...` },
])('cleans up $name for display', ({ text, shown }) => {
  expect(sanitizeRemoteMessage(text)).toBe(shown)
})

test.for([
  { type: 'text/html; charset=utf-8', text: '<title>Log in</title>', title: 'Log in' },
  { type: '', text: ' <!DOCTYPE html><html><head></head>', title: '' },
  { type: 'text/plain', text: 'Bad gateway', title: undefined },
])('returns the title of a web page: $title', ({ type, text, title }) => {
  expect(pageTitleFrom(type, text)).toBe(title)
})

test('reads a hostile web page of a megabyte in no time', () => {
  const start = performance.now()
  expect(pageTitleFrom('text/html', '<title'.repeat(170_000))).toBe('')
  expect(sanitizeRemoteMessage(`a${'\u200b \n'.repeat(300_000)}`)).toBe('a')
  expect(performance.now() - start).toBeLessThan(1_000)
})
