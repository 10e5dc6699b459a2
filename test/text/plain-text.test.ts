import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml } from '../../src/text/html.ts'
import {
  lineWithCommas,
  oneLine,
  plainTextFromHtml,
  plainTextWithLinks,
} from '../../src/text/plain-text.ts'

const base = 'https://cedarhollow.example'

test.for([
  { html: 'Two lines\nas typed', text: 'Two lines\nas typed' },
  { html: 'fewer than 5 & more < 3', text: 'fewer than 5 & more < 3' },
  { html: '<p>One &amp; two</p><p>three</p>', text: 'One & two\n\nthree' },
  { html: 'Adults $10<br>children free', text: 'Adults $10\nchildren free' },
  { html: '<ul><li>axe</li><li>rope</li></ul>', text: '- axe\n- rope' },
  { html: '<ol start="3"><li>axe<li>rope<p>long</p></ol>', text: '3. axe\n4. rope\n   long' },
  { html: '<ul><li>axe<ul><li>two</ul><li>rope</ul>', text: '- axe\n  - two\n- rope' },
  { html: '<h2>Open House</h2>', text: 'Open House' },
  { html: '<a href="https://a.example/join">Join</a> us', text: 'Join us' },
  { html: 'before<script>alert(1)</script>after', text: 'beforeafter' },
  { html: '<blockquote>One<p>two</blockquote>three', text: '> One\n> \n> two\n\nthree' },
  { html: '<pre>7 PM  drill\n8 PM  meal</pre>', text: '7 PM  drill\n8 PM  meal' },
  { html: 'One<hr>two', text: 'One\n\n---\n\ntwo' },
])('converts $html', ({ html, text }) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test('drops forbidden characters that are written as entities', () => {
  expect(plainTextFromHtml('A&#1;B&#xFFFE;C&#x85;')).toBe('ABC…')
  expect(plainTextWithLinks('<b>A&#1;B</b>', base)).toBe('AB')
})

test.for([
  ['&#55357;&#56960; &#xd83d;&#xde80; &#0128640; &#x1f680;', '🚀 🚀 🚀 🚀'],
  ['x&#55357;y&#56960;z', 'xyz'],
  ['One<b></b>&#8232;two&#133;', 'One\ntwo…'],
] as const)('reads the numbers of characters in %j', ([html, text]) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test.for([
  'Pat Lee <pat@example.org>',
  '<https://example.org/r>',
  'temp<freezing or wind>20 mph',
  'Drill <TBD>',
  'Bring <address of the hall> & <small fee>',
  'if a <b and b> c',
  '<3 this & that <',
  'x </ y <>',
  '</TBD>',
  'AT&T, Q&A and food&notes',
  'https://example.org/?a=1&copy=2&reg=3&nbsp=4',
  'a &unknown; b',
])('keeps the words of %s, in text and between elements', (text) => {
  expect(plainTextFromHtml(text)).toBe(text)
  expect(plainTextFromHtml(`<p>Call:<br>${text}</p><p>Thanks</p>`)).toBe(`Call:\n${text}\n\nThanks`)
})

test.for([
  ['A known element in capitals', '<P>One<BR>two<FONT SIZE=4>!</FONT></P>', 'One\ntwo!'],
  [
    'an element of Word',
    '<p>One<o:p>&nbsp;</o:p><st1:place w:st="on">Rye</st1:place></p>',
    'One\u00a0Rye',
  ],
  ['a custom element', '<fire-map id="a">One</fire-map>', 'One'],
  ['an attribute without a value', '<p hidden>no</p><td nowrap>One</td>', 'One'],
  ['an unfinished tag', 'One <a href="https://a.example', 'One'],
  ['a document type', '<!DOCTYPE html><html><body>One</body></html>', 'One'],
  ['an instruction', '<?xml:namespace prefix = o />One', 'One'],
  ['CDATA', '<![CDATA[<p>One &amp; two</p>]]>', 'One & two'],
  [
    'a frequent entity without its semicolon',
    'Caf&eacute; &copy 2026&nbspRye',
    'Café © 2026\u00a0Rye',
  ],
] as const)('reads %s as markup', ([, html, text]) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test.for([
  ['Meet at 7\nBring gear &amp; water\n\nThanks', 'Meet at 7\nBring gear & water\n\nThanks'],
  ['Meet at <b>7</b>\nBring gear', 'Meet at 7\nBring gear'],
  ['<i>Meet\nat 7</i>\r\n<!-- x -->Bring gear', 'Meet\nat 7\nBring gear'],
  ['<p>Meet\nat 7</p>', 'Meet at 7'],
] as const)('keeps the line breaks of %j only if it has no blocks', ([html, text]) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test.for([
  ['&lt;p&gt;Rock &amp;amp; roll&lt;/p&gt;', 'Rock & roll'],
  ['&lt;div class=&quot;x&quot;&gt;One&lt;br /&gt;two&lt;/div&gt;\n', 'One\ntwo'],
  ['Chief&amp;#8217;s &amp;amp; crew&amp;nbsp;', 'Chief’s & crew'],
  ['Write &lt;p&gt; for a paragraph', 'Write <p> for a paragraph'],
  ['<p>Write &lt;b&gt;x&lt;/b&gt;</p>', 'Write <b>x</b>'],
  ['AT&amp;T &amp;amp; Q&A', 'AT&T &amp; Q&A'],
] as const)('reads %j once more only if all of it is escaped twice', ([html, text]) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

const roster =
  '<table border=0><colgroup><col width=64></colgroup><tr height=20><td>Date</td><td>Engine</td><td>Driver</td></tr>' +
  '<tr><td>Dec 5</td><td>Lee<br>Park</td><td></td></tr><tr><td>Dec 6</td><td></td><td>Ray</td></tr><tr><td></td></tr></table>'

test.for([
  [
    'with two columns',
    '<table><tr><th>Time</th><th>What</th></tr><tr><td>19:00</td><td>Drill</td></tr></table>',
    'Time: What\n19:00: Drill',
  ],
  ['from a spreadsheet', roster, 'Date: Engine, Driver\nDec 5: Lee, Park\nDec 6: –, Ray'],
  [
    'with unclosed cells',
    '<table><tr><td>When:<td>7<tr><td><b>Where?<td>Hall</table>x',
    'When: 7\nWhere? Hall\n\nx',
  ],
  [
    'of Word',
    '<table><tr><td><p>Lee</p></td><td><p>Engine</p><p>2</p></td></tr></table>',
    'Lee: Engine, 2',
  ],
  ['with an empty corner', '<table><tr><td></td><td>Mon<td>Tue</tr></table>', 'Mon, Tue'],
  ['in a table', '<table><tr><td><table><tr><td>A<td>1</table></td></tr></table>', 'A: 1'],
  [
    'that arranges a page',
    `<table><tr><td>Menu</td><td><p>${'Long text. '.repeat(40)}</p></td></tr></table>`,
    `Menu\n${'Long text. '.repeat(40).trim()}`,
  ],
  [
    'with lists',
    '<table><tr><td>Bring<td><ul><li>axe<li>rope</ul></table>',
    'Bring\n- axe\n- rope',
  ],
  [
    'of terms',
    '<dl><dt>Who</dt><dd>All</dd><dt>When<dd>Noon<dd>Evening</dl>after',
    'Who: All\nWhen: Noon, Evening\n\nafter',
  ],
] as const)('shows a table %s as lines with separate cells', ([, html, text]) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

test('shows a table in a summary with separate cells', () => {
  expect(oneLine(roster)).toBe('Date: Engine, Driver Dec 5: Lee, Park Dec 6: –, Ray')
})

test.for([
  ['Station 1<br>12 Main St,<br />Cedar Hollow', 'Station 1, 12 Main St, Cedar Hollow'],
  ['<p>Station 1</p><p>12 Main St</p>', 'Station 1, 12 Main St'],
  ['Station 1\n12 Main St', 'Station 1, 12 Main St'],
  ['Hall:\n 12 Main St', 'Hall: 12 Main St'],
  ['Station 1', 'Station 1'],
] as const)('puts commas between the lines of the place %j', ([html, text]) => {
  expect(lineWithCommas(html)).toBe(text)
})

test.for([
  ['<p><img src="/flyer.jpg" alt="Pancake breakfast,\n7 to 11"></p>', 'Pancake breakfast, 7 to 11'],
  ['<img alt="One"><img alt="Two"><img alt="Two">', 'One\nTwo'],
  ['<img alt="Engine"> Text', 'Text'],
  ['<picture><source srcset="/a.webp"><img src="/a.jpg" alt="Flyer"></picture>', 'Flyer'],
  ['<img src="a.jpg" alt="IMG_2034.JPG"><img alt="image001">', ''],
] as const)(
  'reads the text of the picture in %j only if there is no other text',
  ([html, text]) => {
    expect(plainTextFromHtml(html)).toBe(text)
  },
)

test.for([
  ['an attribute', '<div hidden>no</div>'],
  ['a style', '<p style="color: red; DISPLAY : NONE">no</p>'],
  ['invisibility', '<span style="visibility:hidden">no</span>'],
  ['a style of Outlook', '<span style="mso-hide:all">no</span>'],
  ['a comment', '<!-- <p>no</p> -->'],
  ['a conditional comment', '<!--[if mso]><p>no</p><![endif]-->'],
  ['a template', '<template><p>no</p></template>'],
  ['settings of Word', '<xml><w:WordDocument><w:View>no</w:View></w:WordDocument></xml>'],
  ['settings of Word in capitals', '<XML><o:x>no</o:x></XML><STYLE>no</STYLE>'],
  ['a video', '<video controls><source src="a.mp4">no</video>'],
  ['a recording', '<audio src="a.mp3">no</audio>'],
  ['a frame', '<iframe src="https://a.example/">no</iframe>'],
  ['browsers without scripts', '<noscript>no<div>no</div></noscript>'],
  ['a canvas', '<canvas>no</canvas>'],
  ['a form', '<select><option>no</select><textarea>no</textarea>'],
  ['a drawing', '<svg><title>no</title><text>no</text></svg>'],
  ['a closed dialog', '<dialog>no</dialog>'],
  ['nested elements', '<div hidden><div>no</div><p>no<p>no</div>'],
  ['unclosed elements in a row', '<table><tr><td><span hidden>no<td hidden>no</tr></table>'],
] as const)('hides the text of %s', ([, html]) => {
  expect(plainTextFromHtml(`<p>One</p>${html}<p>two</p>`)).toBe('One\n\ntwo')
})

test.for(['<script src="/a.js">no</script>', '<p class="a" hidden id="b">no</p>'])(
  'hides %s where two parts of long HTML meet',
  (hidden) => {
    const visible = 'x'.repeat(32_600)
    for (let more = 0; more < 200; more += 1) {
      const text = plainTextFromHtml(`<p>${visible}${'x'.repeat(more)}</p>${hidden}`)
      expect(text).not.toContain('no')
    }
  },
)

test('shows what browsers show despite conditional comments', () => {
  const html = '<!--[if !mso]><!-->One<!--<![endif]--> <![if !supportLists]>two<![endif]>'
  expect(plainTextFromHtml(html)).toBe('One two')
})

test.for([
  '<del>7 PM</del> 8 PM',
  '<s>7 PM</s> 8 PM',
  '<STRIKE>7 PM</STRIKE> 8 PM',
  '<span style="text-decoration: line-through;">7 PM</span> 8 PM',
  '<p style="text-decoration-line:line-through">7 PM</p><p>8 PM</p>',
])('leaves out what is struck out in %s', (html) => {
  expect(plainTextFromHtml(html)).toBe('8 PM')
})

test.for([
  ['A&nbsp;&nbsp;&nbsp; B&nbsp;<b>&nbsp;C</b>', 'A B C'],
  ['5&nbsp;km', '5\u00a0km'],
  ['<p>&nbsp;</p><p>One</p><p>&nbsp;</p>', 'One'],
  ['<p>One</p><p>&nbsp;</p><br><br><p>two</p>', 'One\n\ntwo'],
  ['One<br><br><br>two', 'One\n\ntwo'],
] as const)('keeps little space in %j', ([html, text]) => {
  expect(plainTextFromHtml(html)).toBe(text)
})

const wordHeader =
  `<!--[if gte mso 9]><xml>${'<w:LsdException Locked="false" Name="heading 1"/>'.repeat(500)}</xml><![endif]-->` +
  `<style>${'p.MsoNormal {margin:0in; font-size:11.0pt}\n'.repeat(100)}</style>`
const pastedPicture = `<img src="data:image/png;base64,${'iVBORw0KGgo'.repeat(30_000)}">`
const spans = '<p class="MsoNormal"><span style="mso-x:y"><o:p></o:p></span></p>'.repeat(1_000)

test.for([
  ['settings of Word', wordHeader],
  ['a pasted picture', pastedPicture],
  ['empty elements', spans],
  ['spaces', ' '.repeat(300_000)],
])('finds the text after %s', ([, html]) => {
  expect(oneLine(`${html}<p>Barn fire</p>`)).toBe('Barn fire')
  expect(plainTextFromHtml(`<p>One</p>${html}<p>two</p>`)).toBe('One\n\ntwo')
})

test('marks the place where text is cut', () => {
  const long = 'word '.repeat(50_000)
  for (const html of [`<p>${long}</p>`, long, `<table><tr><td>${long}</table>`]) {
    const text = plainTextFromHtml(html)
    expect(text).toMatch(/ word…$/)
    expect(text.length).toBeGreaterThan(199_900)
    expect(text.length).toBeLessThanOrEqual(200_000)
    expect(oneLine(html).length).toBeGreaterThan(9_900)
    expect(oneLine(html)).toMatch(/word…$/)
  }
  expect(plainTextFromHtml('<b></b><i>x</i>'.repeat(40_000))).toMatch(/^x+ …$/)
})

test('scans text with unclosed tags only once', () => {
  const text = '<a'.repeat(100_000)
  expect(plainTextFromHtml(text)).toBe(text)
})

test('handles deeply nested and very long HTML', () => {
  const nested = `${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`
  expect(plainTextFromHtml(nested)).toBe('deep')
  expect(plainTextFromHtml(`<p>${'a'.repeat(1_000_000)}`).length).toBeLessThanOrEqual(200_000)
  const quoted = `${'<blockquote>'.repeat(40)}${'x<br>'.repeat(29_000)}`
  expect(plainTextFromHtml(quoted).length).toBeLessThanOrEqual(200_000)
})

test.for([
  { link: 'https://a.example/join?x=1', text: 'Join https://a.example/join?x=1' },
  { link: '/join', text: 'Join https://cedarhollow.example/join' },
  { link: 'mailto:join@cedarhollow.example', text: 'Join join@cedarhollow.example' },
  { link: 'mailto:join@cedarhollow.example?subject=Hi', text: 'Join join@cedarhollow.example' },
  { link: 'tel:5550142', text: 'Join tel:5550142' },
  { link: 'javascript:alert(1)', text: 'Join' },
  { link: '#top', text: 'Join' },
  { link: 'https://[', text: 'Join' },
])('shows the URL of a link to $link only if readers can use it', ({ link, text }) => {
  const html = `<a href="${link}">Join</a>`
  expect(plainTextWithLinks(html, base)).toBe(text)
})

test.for([
  ['<a href="https://a.example/">https://a.example</a>', 'https://a.example'],
  ['<a href="/join"><img src="/a.gif" alt="Join us"></a>', `Join us ${base}/join`],
  ['<a href="/join"><img src="/a.gif"></a>.', `${base}/join.`],
  ['<a href="/join"></a><a name="x"></a>One', 'One'],
  ['One <a href="/join"> two </a>three', `One two ${base}/join three`],
  ['<a href="/a">One<a href="/b">two', `One ${base}/a two ${base}/b`],
] as const)('shows the links in %s', ([html, text]) => {
  expect(plainTextWithLinks(html, base)).toBe(text)
})

test('shows a link once if the site itself has an http URL', () => {
  const url = 'http://feeds.example:8080/follow'
  expect(plainTextWithLinks(`<a href="${url}">${url}</a>`, 'http://feeds.example:8080')).toBe(url)
})

const words = fc.array(fc.stringMatching(/^[a-z]{4,8}$/), { minLength: 1, maxLength: 4 })

const shown = fc.constantFrom(
  ...'b i em font span center div p li td th h1 h5 pre small o:p a blockquote dt dd section'.split(
    ' ',
  ),
)
const hiding = fc.constantFrom(
  ...'template noscript iframe style video xml'.split(' '),
  'div hidden',
  'p style="display:none"',
)

const tree: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    words.map((each) => each.map((word) => `v${word}`).join(' ')),
    fc.constantFrom('<br>', '&nbsp;', '<hr>', '<!-- hid -->', '\n', '<tbd>', ' & '),
    fc
      .tuple(hiding, words)
      .map(([tag, each]) => `<${tag}>hid${each.join(' hid')}</${tag.split(' ')[0]}>`),
    fc
      .tuple(shown, fc.array(tie('node'), { maxLength: 4 }), fc.boolean())
      .map(([tag, inner, isClosed]) => `<${tag}>${inner.join(' ')}${isClosed ? `</${tag}>` : ''}`),
    fc
      .array(tie('node'), { maxLength: 4 })
      .map(
        (rows) => `<table>${rows.map((cell) => `<tr><td>${cell}<td>vcell</tr>`).join('')}</table>`,
      ),
  ),
})).node

const wordsIn = (text: string) => text.match(/\bv[a-z]+\b/g) ?? []

test('loses no visible word, and shows no hidden one', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), (parts) => {
      const html = parts.join(' ')
      const visible = wordsIn(html.replaceAll(/<[^>]*>/g, ' '))
      const shownInHtml = cleanHtml(html, base).replaceAll(/<[^>]*>/g, ' ')
      for (const text of [
        plainTextFromHtml(html),
        plainTextWithLinks(html, base),
        oneLine(html),
        shownInHtml,
      ]) {
        expect(wordsIn(text)).toEqual(visible)
        expect(text).not.toMatch(/\bhid/)
      }
    }),
    { numRuns: 300 },
  )
})

test('returns plain text unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('x', ' ', '\n', '<', '>', '&', '<tbd>', '"', 'é')),
      (parts) => {
        const text = parts.join('').trim()
        expect(plainTextFromHtml(text)).toBe(text)
        expect(plainTextWithLinks(text, base)).toBe(text)
      },
    ),
  )
})

test('cuts text that consists of entities', () => {
  const text = plainTextFromHtml(`One ${'&amp;'.repeat(300_000)}`)
  expect(text === `One ${'&'.repeat(40_000)} …`).toBe(true)
})
