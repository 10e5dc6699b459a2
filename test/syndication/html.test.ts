import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml } from '../../src/syndication/html.ts'

const base = 'https://cedarhollow.example'

test.for([
  ['a script', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['an event handler', '<p onclick="x()">a</p>', '<p>a</p>'],
  ['a style', '<p style="position:fixed">a</p>', '<p>a</p>'],
  ['a javascript URL', '<a href="javascript:x()">a</a>', '<span>a</span>'],
  ['a disguised javascript URL', '<a href="java\tscript:x()">a</a>', '<span>a</span>'],
  ['a frame', 'a<iframe src="https://x.example">b</iframe>', 'a'],
  ['a form', '<form action="/x"><input>a</form>', 'a'],
  ['an image as data', '<p>a<img src="data:image/svg+xml,x"></p>', '<p>a</p>'],
  ['a link within the page', '<a href="#x">a</a>', '<span>a</span>'],
  ['a picture over http', '<p>a<img src="http://a.example/a.jpg"></p>', '<p>a</p>'],
  [
    'invalid sizes',
    '<img src="/a.jpg" width="100%" height="9999999">',
    '<img src="https://cedarhollow.example/a.jpg" alt="" />',
  ],
] as const)('removes %s', ([, html, clean]) => {
  expect(cleanHtml(html, base)).toBe(clean)
})

test('keeps top-level headings, list numbers and table spans', () => {
  const table = '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>'
  expect(cleanHtml(`<h1>A</h1><ol start="3"><li>b</li></ol>${table}`, base)).toBe(
    `<h2>A</h2><ol start="3"><li>b</li></ol>${table}`,
  )
})

test.for(
  `<p>a</p> <h2>a</h2> <h3>a</h3> <h4>a</h4> <h5>a</h5> <h6>a</h6> <blockquote>a</blockquote>
  <pre>a</pre> <div>a</div> <span>a</span> <ul><li>a</li></ul> <ol><li>a</li></ol>
  <dl><dt>a</dt><dd>b</dd></dl> <b>a</b> <strong>a</strong> <i>a</i> <em>a</em> <u>a</u> <s>a</s>
  <sub>a</sub> <sup>a</sup> <code>a</code> <small>a</small> <figure><figcaption>a</figcaption></figure>
  <table><caption>a</caption><thead><tr><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>`
    .trim()
    .split(/\s+/),
)('keeps %s', (html) => {
  expect(cleanHtml(html, base)).toBe(html)
  expect(cleanHtml(`a<br>${html}<hr>`, base)).toBe(`a<br />${html}<hr />`)
})

test.for(['https://a.example/', 'http://a.example/', 'mailto:a@a.example', 'tel:5550142'])(
  'keeps a link to %s',
  (url) => {
    const rel = 'noopener noreferrer nofollow'
    expect(cleanHtml(`<a href="${url}">a</a>`, base)).toBe(`<a href="${url}" rel="${rel}">a</a>`)
  },
)

test('makes relative URLs absolute', () => {
  expect(cleanHtml('<a href="/join">a</a><img src="e1.jpg" alt="E1">', base)).toBe(
    '<a href="https://cedarhollow.example/join" rel="noopener noreferrer nofollow">a</a>' +
      '<img src="https://cedarhollow.example/e1.jpg" alt="E1" />',
  )
  const link = '<a href="/join">a</a>'
  expect(cleanHtml(link, base)).not.toBe(cleanHtml(link, 'https://other.example'))
})

test('turns plain text into paragraphs', () => {
  expect(cleanHtml('One & two\nthree\n\n<four>'.replace('<four>', '5 < 6'), base)).toBe(
    '<p>One &amp; two<br />three</p>\n<p>5 &lt; 6</p>',
  )
})

test('truncates deep and long HTML and still sanitizes it', () => {
  const deep = cleanHtml(`${'<div>'.repeat(50_000)}deep`, base)
  expect(deep.split('<div>').length).toBeLessThanOrEqual(41)
  expect(cleanHtml(`<p>${'a'.repeat(1_000_000)}`, base).length).toBeLessThan(210_000)
})

const pieces = fc.array(
  fc.oneof(
    fc.string(),
    fc.constantFrom('<script>', '</script>', '<!--', '-->', '"', "'", '>', '<'),
    fc.constantFrom('<img src=x onerror=alert(1)>', '<a href="javascript:alert(1)">'),
    fc.constantFrom('<svg onload=alert(1)>', '<p onmouseover="x">', '<textarea>', '<xmp>'),
    fc.constantFrom('<iframe srcdoc="<script>">', '<style>@import "x"', '<math><mi>'),
  ),
  { maxLength: 12 },
)

test('removes everything that a browser would execute', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const clean = cleanHtml(parts.join(''), base)
      const tags = clean.match(/<[^>]*>/g) ?? []
      expect(
        tags.filter((tag) => /\son\w+\s*=|javascript:|<(?:script|iframe|svg|style)/i.test(tag)),
      ).toEqual([])
    }),
    { numRuns: 500 },
  )
})
