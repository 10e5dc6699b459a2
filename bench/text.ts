/*
 * Measures the time it takes to convert texts of 1 MB to plain text, to a line and to sanitized
 * HTML.
 *
 *   npm run bench -- text
 *   npm run bench -- text --against ../other-checkout
 *
 * Figures are minima across the rounds, because other programs delay some of them. With another
 * checkout, each round converts the text with both versions; below 1, this version is faster.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type * as Html from '../src/text/html.ts'
import type * as PlainText from '../src/text/plain-text.ts'

type Conversions = Readonly<Record<string, (html: string, round: number) => string>>

const rounds = 20
const length = 1_000_000
const filled = (part: string) => part.repeat(Math.ceil(length / part.length))

const word =
  '<p class="MsoNormal" style="margin-bottom:0in;line-height:normal"><span style=\'font-size:12.0pt;font-family:"Times New Roman",serif;color:black\'>Bring <b>full gear</b> to the station.<o:p></o:p></span></p>\n'
const story =
  '<p>Crews were called at 6:42 PM for <b>flames</b> showing from a <a href="/map">chimney</a>; nobody was hurt.</p>'
const table = `<table>${filled('<tr><td>19:00</td><td>Drill</td><td>Station&nbsp;1</td></tr>')}</table>`

const texts: Readonly<Record<string, string>> = {
  'markup of Word': filled(word),
  stories: filled(story),
  'a table': table,
  'a list': `<ul>${filled('<li>Engine &amp; crew</li>')}</ul>`,
  'nested elements': `${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}`,
  entities: filled('&amp;'),
  'text with entities': filled('Rock &amp; roll at the chief&rsquo;s house, 6&#8211;9&nbsp;PM. '),
  'text without markup': filled('word '),
  'text between elements': `<p>${filled('word ')}</p>`,
  'lines between elements': `<b>x</b>${filled('word word word word\n')}`,
  spaces: `<p>${filled(' ')}x</p>`,
  'embedded files': filled(`<img src="data:image/png;base64,${'iVBORw0KGgo'.repeat(5_000)}">`),
}

// Another URL in each round, because converted HTML is cached.
const baseUrl = (round: number) => `https://cedarhollow.example/${round}/`

async function conversionsIn(directory: string): Promise<Conversions> {
  const [plainText, html] = (await Promise.all([
    import(resolve(directory, 'src/text/plain-text.ts')),
    import(resolve(directory, 'src/text/html.ts')),
  ])) as [typeof PlainText, typeof Html]
  return {
    text: plainText.plainTextFromHtml,
    links: (text, round) => plainText.plainTextWithLinks(text, baseUrl(round)),
    line: (text) => plainText.oneLine(text),
    html: (text, round) => html.cleanHtml(text, baseUrl(round)),
  }
}

function msOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

const { values } = parseArgs({ options: { against: { type: 'string' } } })
const current = await conversionsIn(resolve(import.meta.dirname, '..'))
const other = values.against === undefined ? undefined : await conversionsIn(values.against)

process.stdout.write(`${'milliseconds'.padEnd(26)}${Object.keys(current).join('\t')}\n`)
for (const [name, text] of Object.entries(texts)) {
  // A string that V8 does not store as a tree of its parts.
  const html = Buffer.from(text).toString()
  const figures = Object.entries(current).map(([conversion, convert]) => {
    const convertOther = other?.[conversion]
    const times: number[] = []
    const otherTimes: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      times.push(msOf(() => convert(html, round)))
      otherTimes.push(msOf(() => convertOther?.(html, round)))
    }
    const ms = Math.min(...times)
    const ratio = (ms / Math.min(...otherTimes)).toFixed(2)
    return `${ms.toFixed(1)}${convertOther ? ` (${ratio} x)` : ''}`
  })
  process.stdout.write(`${name.padEnd(26)}${figures.join('\t')}\n`)
}
