import { linkUrl } from './html.ts'
import { altOf, isBlock, readMarkup, type MarkupElement, type MarkupNode } from './markup.ts'
import { shortenedText } from './text.ts'

const maxLength = 200_000

/** Length limit for single-line fields such as titles, names and locations. */
const maxLineLength = 10_000

/** Tables with longer rows are page layout, so each cell gets its own lines. */
const maxRowLength = 300

/** Converts possible HTML to plain text. Text without markup keeps its line breaks. */
export function plainTextFromHtml(html: string): string {
  return textFrom(html, maxLength)
}

/** Like `plainTextFromHtml`, on a single line. */
export function oneLine(html: string, max = maxLineLength): string {
  return textFrom(html, max).replace(/\s+/g, ' ').trim()
}

/** Like `oneLine`, with commas between lines, for places. */
export function lineWithCommas(html: string): string {
  return withCommas(textFrom(html, maxLineLength)).replace(/\s+/g, ' ').trim()
}

/** Like `plainTextFromHtml`, with each link's absolute URL after its text. */
export function plainTextWithLinks(html: string, baseUrl: string): string {
  return textFrom(html, maxLength, baseUrl)
}

function textFrom(html: string, max: number, baseUrl?: string): string {
  const nodes = readMarkup(html, max)
  if (nodes) return textOf(nodes, max - 1, baseUrl)
  const text = html.toWellFormed()
  return text.length <= max ? text : shortenedText(text, max - 1)
}

/** Gaps between texts, in ascending order. */
const gaps = ['', ' ', '\n', '\n\n']
const [space, newLine, emptyLine] = [1, 2, 3]
const spaces = /[ \t\n\r\f\u00a0]{2,}|[\t\n\r\f]/g

const set = (names: string) => new Set(names.split(' '))

/** Blocks with an empty line before and after them. */
const spaced = set('blockquote dl figure h2 h3 h4 h5 h6 hr ol p pre table ul')
const cells = set('dd dt td th')

/** Elements whose text is formatted as a whole. */
const framed = set('blockquote dl li table')

/** Effects of the surrounding elements on a node's text. */
type Around = {
  /** The number of the next item, or NaN for a list without numbers. */
  readonly list?: { next: number }
  readonly isStruck?: boolean
  readonly isPreformatted?: boolean
}

/** Text that grows. The gap at its end is written only if more text follows. */
class Lines {
  text = ''
  gap: number
  firstGap = 0
  row: string[] = []
  isAfterAddress = false

  constructor(gap = 0) {
    this.gap = gap
  }

  addGap(gap: number): void {
    if (gap > space && this.row.length > 0) this.addRow()
    this.gap = Math.max(this.gap, gap)
  }

  break(): void {
    if (this.row.length > 0) this.addRow()
    this.addGap(this.gap < newLine ? newLine : emptyLine)
  }

  add(words: string): void {
    if (words === '') return
    if (this.row.length > 0) this.addRow()
    if (this.isAfterAddress && this.gap === 0 && /^[\p{L}\p{N}]/u.test(words)) this.gap = space
    if (this.text === '') this.firstGap = this.gap
    else this.text += gaps[this.gap] ?? ''
    this.text += words
    this.gap = 0
    this.isAfterAddress = false
  }

  addAddress(address: string): void {
    if (address === '') return
    this.addGap(space)
    this.add(address)
    this.isAfterAddress = true
  }

  addRow(): void {
    const row = rowText(this.row)
    this.row = []
    this.addGap(newLine)
    this.add(row)
    this.addGap(newLine)
  }

  end(): string {
    if (this.row.length > 0) this.addRow()
    return this.text
  }
}

function textOf(nodes: readonly MarkupNode[], max: number, baseUrl?: string): string {
  const alts: string[] = []
  let length = 0

  function shortened(words: string): string {
    const shown = words === '' || length > max ? '' : shortenedText(words, max - length)
    length += words.length
    return shown
  }

  function linesIn(inside: readonly MarkupNode[], around: Around): string {
    const lines = new Lines()
    addAll(inside, around, lines)
    return lines.end()
  }

  function addAll(inside: readonly MarkupNode[], around: Around, lines: Lines): void {
    for (const node of inside) {
      if (length > max) return
      if (typeof node === 'string') addWords(node, around, lines)
      else addElement(node, around, lines)
    }
  }

  function addElement(node: MarkupElement, around: Around, lines: Lines): void {
    const { name, attributes, children } = node
    if (name === 'br') return lines.break()
    if (name === 'img' || name === 'fallback') {
      if (!around.isStruck) alts.push(altOf(attributes))
      return
    }
    if (name === 'a' || name === 'player') return addLink(node, around, lines)
    if (cells.has(name)) {
      if (name === 'dt' && lines.row.length > 0) lines.addRow()
      lines.row.push(linesIn(children, around))
      return
    }
    const gap = !isBlock(name) ? 0 : spaced.has(name) && !around.list ? emptyLine : newLine
    lines.addGap(gap)
    if (name === 'hr') lines.add('---')
    else if (framed.has(name)) {
      const inner = aroundIn(node, around)
      lines.add(withMarks(linesIn(children, inner), name, around))
    } else addAll(children, aroundIn(node, around), lines)
    lines.addGap(gap)
  }

  function addWords(text: string, { isStruck, isPreformatted }: Around, lines: Lines): void {
    if (isStruck) return
    const collapsed = text.replace(spaces, ' ')
    const trimmed = collapsed.trim()
    if (trimmed === '') return lines.addGap(space)
    if (isPreformatted) {
      for (const [index, line] of shortened(text).split('\n').entries()) {
        if (index > 0) lines.break()
        lines.add(line.trimEnd())
      }
    } else {
      if (!collapsed.startsWith(trimmed)) lines.addGap(space)
      lines.add(shortened(trimmed))
    }
    if (!collapsed.endsWith(trimmed)) lines.addGap(space)
  }

  function addLink({ name, attributes, children }: MarkupElement, around: Around, lines: Lines) {
    if (baseUrl === undefined) return addAll(children, around, lines)
    const { href = '', title = '' } = attributes
    const [email] = /(?<=^mailto:)[^?]+@[^?]+/i.exec(href) ?? []
    const address = email ?? linkUrl(href, baseUrl)?.href ?? ''
    if (name === 'player') {
      if (address === '' || around.isStruck) return
      lines.addGap(space)
      lines.add(shortened(title))
      lines.addAddress(address)
      return lines.addGap(space)
    }
    if (lines.row.length > 0) lines.addRow()
    const firstAlt = alts.length
    const inner = new Lines(lines.gap)
    addAll(children, around, inner)
    const text = inner.end()
    lines.addGap(inner.firstGap)
    lines.add(text)
    lines.addGap(inner.gap)
    if (text === address || `${text}/` === address) return
    const pictures = alts.slice(firstAlt)
    if (text === '') lines.add(shortened(pictures.join(' ').trim()))
    if (text !== '' || pictures.length > 0) lines.addAddress(address)
  }

  const text = linesIn(nodes, {}).trim()
  return text === '' ? shortenedText([...new Set(alts)].join('\n').trim(), max) : text
}

function aroundIn({ name, attributes }: MarkupElement, around: Around): Around {
  if (name === 's' || name === 'del') return { ...around, isStruck: true }
  if (name === 'pre') return { ...around, isPreformatted: true }
  if (name === 'ul') return { ...around, list: { next: NaN } }
  if (name !== 'ol') return around
  return { ...around, list: { next: Number.parseInt(attributes['start'] ?? '1', 10) } }
}

/** Adds a bullet or number to a list item, or `>` to the lines of a quotation. */
function withMarks(text: string, element: string, { list }: Around): string {
  if (text === '') return ''
  if (element === 'blockquote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (element !== 'li') return text
  const mark = list && !Number.isNaN(list.next) ? `${list.next}. ` : '- '
  if (list) list.next += 1
  return `${mark}${text.replaceAll('\n', `\n${' '.repeat(mark.length)}`)}`
}

/** Returns a table row on one line: `First: second, third`. */
function rowText(row: readonly string[]): string {
  const filled = row.filter((cell) => cell !== '')
  const length = filled.reduce((sum, cell) => sum + cell.length, 0)
  if (length > maxRowLength || filled.some((cell) => mark.test(cell))) return filled.join('\n')
  const [first = '', ...rest] = row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)
  const others = rest.map(withCommas)
  if (first === '' || rest.length === 0) return filled.map(withCommas).join(', ')
  const label = withCommas(first)
  const colon = /[,:;?!]$/.test(label) ? '' : ':'
  return `${label}${colon} ${others.map((cell) => cell || '–').join(', ')}`
}

const mark = /^(?:- |> |\d+\. )/m

function withCommas(text: string): string {
  if (!text.includes('\n')) return text
  return text
    .trim()
    .replace(/([,.:;!?–-])?(?<!\s)\s*\n\s*/g, (_found, end = '') => (end ? `${end} ` : ', '))
}
