import { expect, test } from 'vitest'
import { plainTextFromHtml } from '../../src/records/plain-text.ts'

test.for([
  { html: 'Two lines\nas typed', text: 'Two lines\nas typed' },
  { html: 'fewer than 5 & more < 3', text: 'fewer than 5 & more < 3' },
  { html: '<p>One &amp; two</p><p>three</p>', text: 'One & two\n\nthree' },
  { html: 'Adults $10<br>children free', text: 'Adults $10\nchildren free' },
  { html: '<ul><li>axe</li><li>rope</li></ul>', text: '* axe\n * rope' },
  { html: '<h2>Open House</h2>', text: 'Open House' },
  {
    html: '<a href="https://a.example/join">Join</a>',
    text: 'Join [https://a.example/join]',
  },
  { html: 'before<script>alert(1)</script>after', text: 'beforeafter' },
  { html: '<img src="https://a.example/a.png" alt="Engine">', text: '' },
])('$html', ({ html, text }) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test('deeply nested and long HTML does no harm', () => {
  const nested = `${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`
  expect(plainTextFromHtml(nested)).not.toContain('<')
  expect(plainTextFromHtml(`<p>${'a'.repeat(1_000_000)}`).length).toBeLessThanOrEqual(200_000)
})
