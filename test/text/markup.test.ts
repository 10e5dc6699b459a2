import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml } from '../../src/text/html.ts'
import { maxNesting } from '../../src/text/markup.ts'
import { oneLine, plainTextFromHtml } from '../../src/text/plain-text.ts'

const base = 'https://cedarhollow.example'

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
  { name: 'unknown elements', html: '<x-y id="1">'.repeat(20_000) },
  { name: 'end tags without start tags', html: '<div>'.repeat(20_000) + '</p>'.repeat(20_000) },
  { name: 'nested paragraphs', html: '<b><p>'.repeat(10_000) },
  { name: 'paragraphs in between', html: '<div></p>'.repeat(10_000) },
  { name: 'end tags in attributes', html: '<div><br title="</div>">'.repeat(5_000) },
  { name: 'elements in a raw-text element', html: `<iframe>${'<div>'.repeat(20_000)}</iframe>` },
  { name: 'elements in a text area', html: `<textarea>${'<div>'.repeat(20_000)}</textarea>` },
  { name: 'SVG elements', html: '<svg><g/><g>'.repeat(5_000) },
  { name: 'names with special characters', html: '<a<b ">'.repeat(10_000) },
  { name: 'tables', html: '<table><tr><td>'.repeat(10_000) },
  { name: 'hidden elements', html: '<div hidden>'.repeat(20_000) },
])('limits the nesting of $name', ({ html }) => {
  expect(depthOf(cleanHtml(html, base))).toBeLessThanOrEqual(maxNesting + 1)
})

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom('<div>', '</div>', '<p>', '</p>', '<b>', '</b>', '<li>', '<td>', '<br>'),
      fc.constantFrom('<svg>', 'x', '</svg>', '<g/>', '<a title="<b>">', '</a>', '<!--<p>-->'),
      fc.constantFrom('<style>', '</style>', '&lt;p>', '<s>', '</s>', '<table>', '</table>'),
    ),
    { minLength: 2 },
  )
  .map((parts) => parts.join('').repeat(40))

test('limits the nesting of any mix of tags, and closes each of them', () => {
  fc.assert(
    fc.property(soup, (html) => {
      expect(depthOf(cleanHtml(html, base))).toBeLessThanOrEqual(maxNesting + 1)
    }),
    { numRuns: 50 },
  )
})

test('leaves out elements that are nested too deeply, but keeps their text', () => {
  const html = `${'<div>'.repeat(10_000)}Deep down${'</div>'.repeat(10_000)}<p>After</p>`
  expect(cleanHtml(html, base)).toMatch(/Deep down(?:<\/div>)+<p>After<\/p>$/)
  expect(plainTextFromHtml(`<p>Before</p>${html}`)).toBe('Before\n\nDeep down\n\nAfter')
})

test('hides what is hidden at any depth', () => {
  const hidden = '<div hidden><div>secret</div>secret</div><span style="display:none">secret</span>'
  const html = `${'<div>'.repeat(500)}seen ${hidden}`
  expect(plainTextFromHtml(html)).toBe('seen')
  expect(cleanHtml(html, base)).not.toContain('secret')
})

test.for(['template', 'noscript', 'object', 'select', 'svg', 'video'])(
  'shows what follows <%s> with a table that does not end',
  (name) => {
    for (const cells of ['<tr>', '<table><tr><td>secret']) {
      const html = `<p>Before</p><${name}>${cells}</${name}><p>After</p>`
      expect(plainTextFromHtml(html)).toBe('Before\n\nAfter')
    }
  },
)

const length = 250_000
const filled = (part: string) => part.repeat(Math.ceil(length / part.length))

test.for([
  ['elements', filled('<div>')],
  ['closed elements', filled('<div>') + filled('</div>')],
  ['inline elements', filled('<b>')],
  ['end tags', filled('</p>')],
  ['lists', filled('<li><ul>')],
  ['list items after many elements', `<li><ul>${filled('<b>')}${filled('<li></li>')}`],
  ['tables', filled('<table><tr><td>')],
  ['cells', `<table>${`<tr>${'<td>7</td>'.repeat(100)}</tr>`.repeat(1000)}</table>`],
  ['struck-out paragraphs', filled('<p><s>x')],
  ['unclosed tags', filled('<a ')],
  ['unclosed comments', filled('<!--')],
  ['unclosed documents', filled('<xml><style>')],
  ['attributes', `<p ${filled('style="x" ')}>`],
  ['text that looks like attributes', `<p>${filled(' style="x"')}`],
  ['styles', `<p style="${filled('text-decoration ')}">`],
  ['unknown elements', filled('<foo>x</foo>')],
  ['false tags', filled('<tbd x')],
  ['ampersands', filled('&')],
  ['entities', filled('&amp;')],
  ['escaped tags', filled('&lt;br ')],
  ['halves of characters', filled('&#55357;')],
  ['spaces', `<p>${filled(' ')}x`],
  ['sources', `<img srcset="${filled('a')} x">`],
  ['players', filled('<embed src="/a.mp3">')],
  ['numbers in an address', `<a href="${filled('#')}.pdf">x</a>`],
  ['lines', `<b>x</b>${filled('\n')}`],
  ['short lines', `<b>x</b>${filled('x\n')}`],
  ['embedded files', filled('data:image/png;')],
  ['escaped tags that do not end', `&lt;a ${filled('= ')}x`],
  ['lines in quotations', '<blockquote>'.repeat(400) + filled('x<br>')],
  ['lines in lists', '<ul><li>'.repeat(400) + filled('x<br>')],
  ['end tags without a start', `${'<b>'.repeat(29_000)}${filled('</i>')}`],
] as const)('converts very many %s in linear time', ([, html]) => {
  const start = process.cpuUsage()
  oneLine(html)
  plainTextFromHtml(html)
  cleanHtml(html, base)
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(500)
})
