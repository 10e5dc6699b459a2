import { expect, test } from 'vitest'
import { plainTextFromHtml, plainTextWithLinks } from '../../src/records/plain-text.ts'

test.for([
  { html: 'Two lines\nas typed', text: 'Two lines\nas typed' },
  { html: 'fewer than 5 & more < 3', text: 'fewer than 5 & more < 3' },
  { html: '<p>One &amp; two</p><p>three</p>', text: 'One & two\n\nthree' },
  { html: 'Adults $10<br>children free', text: 'Adults $10\nchildren free' },
  { html: '<ul><li>axe</li><li>rope</li></ul>', text: '- axe\n- rope' },
  { html: '<h2>Open House</h2>', text: 'Open House' },
  { html: '<a href="https://a.example/join">Join</a> us', text: 'Join us' },
  { html: 'before<script>alert(1)</script>after', text: 'beforeafter' },
  { html: '<img src="https://a.example/a.png" alt="Engine">', text: '' },
])('converts $html', ({ html, text }) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test('drops forbidden characters that are written as entities', () => {
  expect(plainTextFromHtml('A&#1;B&#xFFFE;C&#x85;')).toBe('ABC…')
  expect(plainTextWithLinks('<b>A&#1;B</b>', 'https://cedarhollow.example')).toBe('AB')
})

test('scans text with unclosed tags only once', () => {
  const text = '<a'.repeat(100_000)
  expect(plainTextFromHtml(text)).toBe(text)
})

test('handles deeply nested and very long HTML', () => {
  const nested = `${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`
  expect(plainTextFromHtml(nested)).not.toContain('<')
  expect(plainTextFromHtml(`<p>${'a'.repeat(1_000_000)}`).length).toBeLessThanOrEqual(200_000)
})

test.for([
  { link: 'https://a.example/join?x=1', text: 'Join https://a.example/join?x=1' },
  { link: '/join', text: 'Join https://cedarhollow.example/join' },
  { link: 'mailto:join@cedarhollow.example', text: 'Join join@cedarhollow.example' },
  { link: 'tel:5550142', text: 'Join tel:5550142' },
  { link: 'javascript:alert(1)', text: 'Join' },
  { link: '#top', text: 'Join' },
  { link: 'https://[', text: 'Join' },
])('shows the URL of a link to $link only if readers can use it', ({ link, text }) => {
  const html = `<a href="${link}">Join</a>`
  expect(plainTextWithLinks(html, 'https://cedarhollow.example')).toBe(text)
})
