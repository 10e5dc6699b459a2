import fc from 'fast-check'
import sanitizeHtml from 'sanitize-html'
import { expect, test } from 'vitest'
import { boundedHtml, maxNesting } from '../../src/records/bounded-html.ts'
import { plainTextFromHtml } from '../../src/records/plain-text.ts'
import { cleanHtml } from '../../src/syndication/html.ts'

/** Enough tags that the HTML is rewritten. */
const many = 600

function depthOf(html: string): number {
  let [depth, deepest] = [0, 0]
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][\w:-]*)/g)) {
    if (/^(?:br|hr|img)$/.test(name)) continue
    depth += slash === '/' ? -1 : 1
    deepest = Math.max(deepest, depth)
  }
  expect(depth).toBe(0)
  return deepest
}

test.for([
  { name: 'unclosed elements', html: '<div>'.repeat(20_000) },
  { name: 'unknown elements', html: '<x-y>'.repeat(20_000) },
  { name: 'end tags without start tags', html: '<div>'.repeat(20_000) + '</p>'.repeat(20_000) },
  { name: 'nested paragraphs', html: '<b><p>'.repeat(10_000) },
  { name: 'paragraphs in between', html: '<div></p>'.repeat(10_000) },
  { name: 'end tags in attributes', html: '<div><br title="</div>">'.repeat(5_000) },
  { name: 'elements in a raw-text element', html: `<iframe>${'<div>'.repeat(20_000)}</iframe>` },
  { name: 'elements in a text area', html: `<textarea>${'<div>'.repeat(20_000)}</textarea>` },
  { name: 'SVG elements', html: '<svg><g/><g>'.repeat(5_000) },
  { name: 'names with special characters', html: '<a<b ">'.repeat(10_000) },
])('limits the nesting of $name', ({ html }) => {
  expect(depthOf(boundedHtml(html))).toBeLessThanOrEqual(maxNesting)
})

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom('<div>', '</div>', '<p>', '</p>', '<b>', '</b>', '<li>', '<td>', '<br>'),
      fc.constantFrom('<svg>', 'x', '</svg>', '<g/>', '<a title="<b>">', '</a>', '<!--<p>-->'),
      fc.constantFrom('<style>', '</style>', '&lt;p>'),
    ),
    { minLength: 2 },
  )
  .map((parts) => parts.join('').repeat(many / parts.length + 100))

test('limits the nesting of any mix of tags', () => {
  fc.assert(
    fc.property(soup, (html) => {
      fc.pre((html.match(/<[a-z]/g)?.length ?? 0) > many)
      expect(depthOf(boundedHtml(html))).toBeLessThanOrEqual(maxNesting)
    }),
    { numRuns: 20 },
  )
})

test.for([
  { name: 'unclosed paragraphs', html: '<p>Text &amp; <b>more</b>' },
  { name: 'unclosed list items', html: '<ul><li>One<li>Two &lt;b&gt;</ul>' },
  { name: 'tables', html: '<table><tr><td colspan=2>1<td>2</table>' },
  { name: 'void elements', html: '<p>a<br>b<img src="/a.png" alt="&quot;A&quot;"><hr>' },
  { name: 'links', html: '<a href="https://x.example/?a=1&amp;b=2">x</a>&nbsp;' },
  { name: 'styles and comments', html: '<style>p > b {}</style><!-- <p> --><h2>Title</h2>' },
])('preserves the meaning of $name', ({ html }) => {
  const long = html.repeat(many)
  const allowed = { allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'] }
  const bounded = boundedHtml(long)
  expect(bounded.length).not.toBe(long.length)
  expect(sanitizeHtml(bounded, allowed)).toBe(sanitizeHtml(long, allowed))
})

test('leaves HTML with few tags unchanged', () => {
  const html = '<div>'.repeat(500)
  expect(boundedHtml(html)).toBe(html)
})

test('unwraps elements that are too deep and keeps their text', () => {
  const html = `${'<div>'.repeat(20_000)}Deep down${'</p>'.repeat(20_000)}`
  expect(cleanHtml(html, 'https://www.example.org')).toContain('Deep down')
  expect(plainTextFromHtml(`<p>Before</p>${html}`)).toContain('Before')
})

test.for(['iframe', 'noembed', 'noframes', 'script', 'style'])(
  'drops the text of %s, which readers never see',
  (element) => {
    const html = `${'<b>seen</b>'.repeat(many)}<${element}>hidden</${element}>`
    expect(boundedHtml(html)).toMatch(/^(?:<b>seen<\/b>)+<\w+><\/\w+>$/)
  },
)
