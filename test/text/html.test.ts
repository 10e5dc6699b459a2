import fc from 'fast-check'
import sanitizeHtml from 'sanitize-html'
import { expect, test } from 'vitest'
import { cleanHtml } from '../../src/text/html.ts'
import { hostileText } from '../support/hostile-text.ts'

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

test.for([
  ['Meet at 7\n<b>Bring</b> gear\n\nThanks', 'Meet at 7<br /><b>Bring</b> gear<br /><br />Thanks'],
  ['<p>Meet\nat 7</p>', '<p>Meet\nat 7</p>'],
  ['<b>One</b>\n\n \n\ntwo', '<b>One</b><br /><br />two'],
  ['Pat Lee <pat@example.org> <b>TBD</b>', 'Pat Lee &lt;pat@example.org&gt; <b>TBD</b>'],
  ['Drill <TBD>', '<p>Drill &lt;TBD&gt;</p>'],
  ['&lt;p&gt;Rock &amp;amp; roll&lt;/p&gt;', '<p>Rock &amp; roll</p>'],
  ['<CENTER>One</CENTER>two<section>three</section>', '<div>One</div>two<div>three</div>'],
  ['<FONT color=red>One <o:p></o:p><span></span><b></b></FONT>', 'One'],
  [
    '<ul><li>One<li>two</ul><p>three<p>four',
    '<ul><li>One</li><li>two</li></ul><p>three</p><p>four</p>',
  ],
  [
    '<table><tr><td><b>One<td>two<tr><td>x</table>',
    '<table><tr><td><b>One</b></td><td>two</td></tr><tr><td>x</td></tr></table>',
  ],
  ['<p>One<div hidden>no</div><!-- no --><template>no</template></p>', '<p>One</p>'],
] as const)('converts %s', ([html, clean]) => {
  expect(cleanHtml(html, base)).toBe(clean)
})

test.for([
  ['<del>7 PM</del> 8 PM', '<del>7 PM</del> 8 PM'],
  ['<s>7 PM</s> 8 PM', '<s>7 PM</s> 8 PM'],
  ['<strike>7 PM</strike> 8 PM', '<s>7 PM</s> 8 PM'],
  ['<span style="text-decoration:line-through">7 PM</span> 8 PM', '<span><s>7 PM</s></span> 8 PM'],
  ['<font style="text-decoration-line: line-through">7 PM</font> 8 PM', '<s>7 PM</s> 8 PM'],
  [
    '<p style="TEXT-DECORATION: underline line-through"><b>7 PM</b></p>',
    '<p><s><b>7 PM</b></s></p>',
  ],
] as const)('keeps what is struck out in %s', ([html, clean]) => {
  expect(cleanHtml(html, base)).toBe(clean)
})

const picture = (name: string, alt = '') => `<img src="${base}/${name}" alt="${alt}" />`

test.for([
  [
    'a picture that is loaded late',
    '<img src="data:image/gif;base64,x" data-src="/e1.jpg" alt="E1">',
    picture('e1.jpg', 'E1'),
  ],
  ['a placeholder', '<img src="/blank.gif" data-lazy-src="/e1.jpg">', picture('e1.jpg')],
  [
    'the largest source',
    '<img srcset="/s.jpg 300w, /l,1.jpg 900w,/m.jpg 600w">',
    picture('l,1.jpg'),
  ],
  ['a source by density', '<img data-srcset="/s.jpg, /l.jpg 2x" src="">', picture('l.jpg')],
  [
    'a picture for browsers without scripts',
    '<img src="data:,"><noscript>no<img src="/e1.jpg"></noscript>',
    picture('e1.jpg'),
  ],
  [
    'one of two copies',
    '<noscript><img src="/e1.jpg"></noscript><img data-src="/e1.jpg">',
    picture('e1.jpg'),
  ],
  [
    'both of two equal pictures',
    '<img src="/star.gif"><img src="/star.gif">',
    picture('star.gif').repeat(2),
  ],
  [
    'the text of a dropped picture',
    'One <img src="cid:1" alt="Flyer &lt;1>"> two',
    'One Flyer &lt;1&gt; two',
  ],
  ['no name of a dropped picture', 'One <img src="cid:1" alt="IMG_1.jpg">', 'One'],
  [
    'one of several formats',
    '<picture><source srcset="/e1.avif"><img src="/e1.jpg"></picture>',
    picture('e1.jpg'),
  ],
  ['a file name with signs', '<img src="/50% off #2.jpg">', picture('50%25%20off%20%232.jpg')],
] as const)('shows %s', ([, html, clean]) => {
  expect(cleanHtml(html, base)).toBe(clean)
})

const link = (url: string, text = url) =>
  `<a href="${url}" rel="noopener noreferrer nofollow">${text}</a>`

test.for([
  [
    '<iframe src="https://www.youtube.com/embed/Ab1" title="Drill">no</iframe>',
    link('https://www.youtube.com/watch?v=Ab1', 'Drill'),
  ],
  [
    '<video controls><source src="/a.mp4"><source src="/a.webm">no</video>',
    `${link(`${base}/a.mp4`)}  ${link(`${base}/a.webm`)}`,
  ],
  ['<audio src="/files/call #1.mp3"></audio>', link(`${base}/files/call%20%231.mp3`)],
  ['<embed src="/a.mp3"><iframe src="https://a.example/form"></iframe>', link(`${base}/a.mp3`)],
  ['<video src="javascript:x()"></video>', ''],
  [
    '<object width="4"><param name="movie" value="https://www.youtube.com/v/Ab1&amp;hl=en"><embed src="https://www.youtube.com/v/Ab1"></object>',
    link('https://www.youtube.com/watch?v=Ab1'),
  ],
  [
    '<iframe data-src="https://www.youtube.com/embed/Ab1"></iframe><noscript><iframe src="https://www.youtube.com/embed/Ab1"></iframe></noscript>',
    link('https://www.youtube.com/watch?v=Ab1'),
  ],
  [
    '<noscript><iframe src="https://vimeo.com/event/7/embed"></iframe></noscript>',
    link('https://vimeo.com/event/7'),
  ],
  ['<div hidden><iframe src="https://www.youtube.com/embed/Ab1"></iframe></div>', ''],
  ['<a href="/minutes #4, 100%.pdf">a</a>', link(`${base}/minutes%20%234,%20100%25.pdf`, 'a')],
  ['<a href="/page?a=%20#part.one">a</a>', link(`${base}/page?a=%20#part.one`, 'a')],
] as const)('links to the media in %s', ([html, clean]) => {
  expect(cleanHtml(html, base)).toBe(clean)
})

test('truncates deep and long HTML and still sanitizes it', () => {
  const deep = cleanHtml(`${'<div>'.repeat(50_000)}deep`, base)
  expect(deep.split('<div>').length).toBeLessThanOrEqual(41)
  expect(cleanHtml(`<p>${'a'.repeat(1_000_000)}`, base).length).toBeLessThan(210_000)
})

test.for([
  ['text', `<p>${'word '.repeat(50_000)}</p>`, / word…<\/p>$/],
  [
    'cells',
    `<table>${`<tr>${'<td>7</td>'.repeat(100)}</tr>`.repeat(1_000)}</table>`,
    /…$|…(?:<\/\w+>)+$/,
  ],
  ['plain text', 'word '.repeat(50_000), / word…<\/p>$/],
] as const)('marks the place where %s is cut', ([, html, end]) => {
  const clean = cleanHtml(html, base)
  expect(clean).toMatch(end)
  expect(clean.length).toBeGreaterThan(190_000)
  expect(clean.length).toBeLessThan(210_000)
})

/** What sanitized HTML may contain, checked by another library. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags:
    'a b blockquote br caption code dd del div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img li ol p pre s small span strong sub sup table tbody td th thead tr u ul'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
}

const withQuotes = (text: string) => text.replaceAll('&quot;', '"')

const tagPattern =
  /^<(?:\/?[a-z][a-z\d]*|[bh]r \/|(?:a|img|ol|td|th)(?: [a-z]+="[^"<>]*")+(?: \/)?)>$/

/** Returns everything in the sanitized HTML that should not be there. */
function faultsOf(html: string): readonly string[] {
  const clean = cleanHtml(html, base)
  const sanitized = sanitizeHtml(clean, allowed)
  const tags = clean.match(/<[^>]*>/g) ?? []
  return [
    ...(withQuotes(sanitized) === withQuotes(clean) ? [] : [clean]),
    ...(clean.isWellFormed() ? [] : ['half of a character']),
    ...tags.filter((tag) => !tagPattern.test(tag)),
    ...tags.filter((tag) => /(?:href|src)="(?!https?:|mailto:|tel:)/.test(tag)),
  ]
}

test.for([
  '<script>x()</script>',
  '<SCRIPT SRC=https://a.example/x.js></SCRIPT>',
  '<scr<script>ipt>x()</scr</script>ipt>',
  '<script <b>x()</script>',
  '<script>/* </p> */ x()',
  '<<script>x();//<</script>',
  '<img src=x onerror=x()>',
  '<img src="x" onerror="x()" onload=\'x()\'>',
  '<img/src=x/onerror=x()>',
  '<img src=`x`onerror=x()>',
  '<img src="x"\tonerror\n=\rx()>',
  '<img alt="a" src="javascript:x()">',
  '<img src="data:text/html,<script>x()</script>">',
  '<img src="https://a.example/a.png" alt="&quot; onerror=&quot;x()">',
  '<img src="https://a.example/a.png" width="1&quot; onerror=&quot;x()">',
  '<img srcset="javascript:x() 1x" data-src="javascript:x()">',
  '<img srcset="//a.example/a.png&quot; onerror=&quot;x() 1x">',
  '<a href="javascript:x()">a</a>',
  '<a href=" javascript:x()">a</a>',
  '<a href="java&#10;script:x()">a</a>',
  '<a href="java&Tab;script:x()">a</a>',
  '<a href="&#106;avascript&colon;x()">a</a>',
  '<a href="\u0001javascript:x()">a</a>',
  '<a href="JaVaScRiPt:x()">a</a>',
  '<a href="vbscript:x()">a</a>',
  '<a href="data:text/html,x">a</a>',
  '<a href="blob:https://a.example/x">a</a>',
  '<a href="file:///etc/hosts">a</a>',
  '<a href="https://a.example/&quot; onclick=&quot;x()">a</a>',
  '<a href="https://a.example/" target=_blank onclick=x() style="position:fixed">a</a>',
  '<a href="//a.example/x">a</a>',
  '<a/href="javascript:x()"/>a',
  '<svg onload=x()><g onload=x()></svg>',
  '<svg><script>x()</script></svg>',
  '<svg><a xlink:href="javascript:x()"><text>a</text></a></svg>',
  '<svg><style><img src=x onerror=x()></style></svg>',
  '<math><mtext><img src=x onerror=x()></mtext></math>',
  '<iframe src="javascript:x()"></iframe>',
  '<iframe srcdoc="<script>x()</script>"></iframe>',
  '<iframe><p title="</iframe><img src=x onerror=x()>"></iframe>',
  '<object data="javascript:x()"></object><embed src="javascript:x()">',
  '<video src=x onerror=x()><source onerror=x() src="javascript:x()"></video>',
  '<audio src="javascript:x()" autoplay></audio>',
  '<noscript><p title="</noscript><img src=x onerror=x()>"></noscript>',
  '<noscript><img src="javascript:x()" onerror=x()></noscript>',
  '<template><script>x()</script><img src=x onerror=x()></template>',
  '<textarea></textarea><img src=x onerror=x()>',
  '<textarea><img title="</textarea><img src=x onerror=x()>"></textarea>',
  '<title><img title="</title><img src=x onerror=x()>"></title>',
  '<xmp><img title="</xmp><img src=x onerror=x()>"></xmp>',
  '<plaintext><script>x()</script>',
  '<noembed><img src=x onerror=x()></noembed><noframes><img src=x onerror=x()></noframes>',
  '<style>@import "https://a.example/x.css";</style>',
  '<style><!-- </style><script>x()</script> --></style>',
  '<p style="background:url(javascript:x())">a</p>',
  '<div style="width:expression(x())">a</div>',
  '<link rel=stylesheet href="https://a.example/x.css"><meta http-equiv=refresh content="0;url=https://a.example/">',
  '<base href="https://a.example/"><a href="/x">a</a>',
  '<form action="https://a.example/"><input name=password><button formaction="javascript:x()">a</button></form>',
  '<isindex type=image src=1 onerror=x()>',
  '<body onload=x()><html onmouseover=x()>',
  '<table background="javascript:x()"><td background="javascript:x()">a</td></table>',
  '<td colspan="1&quot; onclick=&quot;x()">a</td>',
  '<ol start="1&quot; onclick=&quot;x()"><li>a</li></ol>',
  '<details open ontoggle=x()>a</details><marquee onstart=x()>a</marquee>',
  '<input autofocus onfocus=x()><select autofocus onfocus=x()><option>a</select>',
  '<!--<img src="--><img src=x onerror=x()//">',
  '<!--[if IE]><script>x()</script><![endif]-->',
  '<![CDATA[<script>x()</script>]]>',
  '<![CDATA[<]]>script>x()</script>',
  '<?php <script>x()</script> ?>',
  '<!doctype html [<!ENTITY x "<script>x()</script>">]>&x;',
  '&lt;p&gt;&lt;script&gt;x()&lt;/script&gt;&lt;img src=x onerror=x()&gt;&lt;/p&gt;',
  '&amp;lt;script&amp;gt;x()&amp;lt;/script&amp;gt;',
  '&lt;script&gt;x()&lt;/script&gt;',
  '&#60;script&#62;x()&#x3c;/script&#x3e;',
  '&#55340;script&#55357;>x()',
  'a<b onclick=x()',
  '<b onclick="x()',
  "<b title='\"'><script>x()</script>'>a</b>",
  '<x onclick=x()>a</x>',
  '<x-y onclick="x()">a</x-y>',
  '<custom:el onclick="x()">a</custom:el>',
  '<b\0 onclick=x()>a</b>',
  '<\0script>x()</script>',
  '<p onclick=x()>a</p onclick=x()>',
  '</p/onclick=x()>',
  '<br/onclick=x()><hr onclick=x() />',
  '<pre>\n\n<script>x()</script></pre>',
])('makes %j harmless', (html) => {
  for (const each of [
    html,
    `<p>a${html}b</p>`,
    `<table><tr><td title="${html}">`,
    html.repeat(3),
  ]) {
    expect(faultsOf(each)).toEqual([])
  }
})

const pieces = fc.array(
  fc.oneof(
    fc.string(),
    hostileText,
    fc.constantFrom('<script>', '</script>', '<!--', '-->', '"', "'", '>', '<', '/', '='),
    fc.constantFrom('<img src=x onerror=x()>', '<a href="javascript:x()">', '<p>', '</p>'),
    fc.constantFrom('<svg onload=x()>', '<p onmouseover="x">', '<textarea>', '<xmp>', '</xmp>'),
    fc.constantFrom('<iframe srcdoc="<script>">', '<style>@import "x"', '<math><mi>', '</style>'),
    fc.constantFrom('<noscript>', '</noscript>', '<table>', '<td>', '<![CDATA[', ']]>', '<xml>'),
    fc.constantFrom('&lt;', '&gt;', '&amp;', '&#60;', '&quot;', '&#55357;', '&#56960;', '&'),
    fc.constantFrom('<s>', '</s>', '<del>', '<div hidden>', '</div>', '<video src="/a.mp4">'),
  ),
  { maxLength: 12 },
)

test('removes everything that a browser would execute', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      expect(faultsOf(parts.join(''))).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

test('leaves sanitized HTML unchanged', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const clean = cleanHtml(`<p>One</p>${parts.join('')}`, base)
      expect(cleanHtml(clean, base)).toBe(clean)
    }),
    { numRuns: 500 },
  )
})
