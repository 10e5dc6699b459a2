import { linkUrl } from './html.ts'
import { altOf, isBlock, readMarkup, set } from './markup.ts'
import type { Attributes } from './players.ts'
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
  return textFrom(html, max).replace(wideSpaces, ' ').trim()
}

/** Like `oneLine`, with commas between lines, for places. */
export function lineWithCommas(html: string): string {
  return withCommas(textFrom(html, maxLineLength)).replace(wideSpaces, ' ').trim()
}

/** Like `plainTextFromHtml`, with each link's absolute URL after its text. */
export function plainTextWithLinks(html: string, baseUrl: string): string {
  return textFrom(html, maxLength, baseUrl)
}

/** Gaps between texts, in ascending order. */
const gaps = ['', ' ', '\n', '\n\n']
const [space, newLine, emptyLine] = [1, 2, 3]
const wideSpaces = /\s{2,}|[^\S ]/g
const spaces = /[ \t\n\r\f\u00a0]{2,}|[\t\n\r\f]/g

/** Blocks with an empty line before and after them. */
const spaced = set('blockquote dl figure h2 h3 h4 h5 h6 hr ol p pre table ul')
const cells = set('dd dt td th')

/** Elements whose text is formatted as a whole. */
const framed = set('blockquote dl li table')

/** Effects of the surrounding elements on text. */
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

  addGap(gap: number): undefined {
    if (gap > space) this.addRow()
    this.gap = Math.max(this.gap, gap)
  }

  break(): undefined {
    this.addRow()
    this.addGap(this.gap < newLine ? newLine : emptyLine)
  }

  add(words: string): void {
    if (words === '') return
    this.addRow()
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
    if (this.row.length === 0) return
    const row = rowText(this.row)
    this.row = []
    this.addGap(newLine)
    this.add(row)
    this.addGap(newLine)
  }

  end(): string {
    this.addRow()
    return this.text
  }
}

/** Keeps the shown text from becoming longer than a maximum. */
class Room {
  readonly max: number
  used = 0
  hasMarks = true

  constructor(max: number) {
    this.max = max
  }

  shortened(words: string): string {
    const left = this.max - this.used
    this.used += words.length
    return words === '' || left < 0 ? '' : shortenedText(words, left)
  }

  /** Leaves out marks that would make the text too long, and those after them. Each level repeats them. */
  marked(text: string, element: string, outside: Around): string {
    if (text === '' || !this.hasMarks) return text
    const { first, others } = marksOf(element, outside)
    const added = first.length + others.length * (text.split('\n').length - 1)
    this.hasMarks = this.used + added <= this.max
    if (!this.hasMarks) return text
    this.used += added
    return `${first}${text.replaceAll('\n', `\n${others}`)}`
  }
}

function textFrom(html: string, max: number, baseUrl?: string): string {
  const maxText = max - 1
  const room = new Room(maxText)
  const alts: string[] = []
  let lines = new Lines()
  let around: Around = {}

  function addText(text: string): void {
    if (around.isStruck) return
    const collapsed = text.replace(spaces, ' ')
    const rest = collapsed.trimStart()
    const trimmed = rest.trimEnd()
    if (trimmed === '') return text === '' ? undefined : lines.addGap(space)
    if (around.isPreformatted) {
      for (const [index, line] of room.shortened(text).split('\n').entries()) {
        if (index > 0) lines.break()
        lines.add(line.trimEnd())
      }
    } else {
      if (rest.length < collapsed.length) lines.addGap(space)
      room.used += lines.gap
      lines.add(room.shortened(trimmed))
    }
    if (trimmed.length < rest.length) lines.addGap(space)
  }

  function add(name: string, attributes: Attributes): (() => void) | undefined {
    const [outer, before] = [lines, around]
    if (name === 'br') return outer.break()
    if (name === 'player') return addPlayer(attributes)
    if (name === 'a') return addLink(attributes)
    if (name === 'img' || name === 'fallback') {
      if (!around.isStruck) alts.push(altOf(attributes))
      return undefined
    }
    if (name !== 's' && name !== 'del' && !isBlock(name)) return undefined
    around = aroundIn(name, attributes, before)
    if (cells.has(name)) {
      if (name === 'dt') outer.addRow()
      lines = new Lines()
      return () => {
        outer.row.push(lines.end())
        lines = outer
      }
    }
    const gap = !isBlock(name) ? 0 : spaced.has(name) && !before.list ? emptyLine : newLine
    outer.addGap(gap)
    if (name === 'hr') outer.add('---')
    if (name === 'hr') return outer.addGap(gap)
    if (framed.has(name)) lines = new Lines()
    return () => {
      if (lines !== outer) outer.add(room.marked(lines.end(), name, before))
      lines = outer
      around = before
      outer.addGap(gap)
    }
  }

  function addPlayer({ href, title = '' }: Attributes): undefined {
    const address = addressFrom(href, baseUrl)
    if (address === '' || around.isStruck) return
    lines.addGap(space)
    lines.add(room.shortened(title))
    lines.addAddress(address)
    lines.addGap(space)
  }

  function addLink({ href }: Attributes): (() => void) | undefined {
    if (baseUrl === undefined) return undefined
    const address = addressFrom(href, baseUrl)
    const outer = lines
    const firstAlt = alts.length
    outer.addRow()
    lines = new Lines(outer.gap)
    return () => {
      const text = lines.end()
      outer.addGap(lines.firstGap)
      outer.add(text)
      outer.addGap(lines.gap)
      lines = outer
      if (text === address || `${text}/` === address) return
      const pictures = alts.slice(firstAlt)
      if (text === '') outer.add(room.shortened(pictures.join(' ').trim()))
      if (text !== '' || pictures.length > 0) outer.addAddress(address)
    }
  }

  if (!readMarkup(html, { add, addText, isFull: () => room.used > maxText })) {
    return shortenedText(html.toWellFormed(), html.length > max ? maxText : max)
  }
  const text = lines.end().trim()
  return text === '' ? shortenedText([...new Set(alts)].join('\n').trim(), maxText) : text
}

/** Returns the email address or URL to show for a link, or an empty string. */
function addressFrom(href = '', baseUrl?: string): string {
  if (baseUrl === undefined) return ''
  const [email] = /(?<=^mailto:)[^?]+@[^?]+/i.exec(href) ?? []
  return email ?? linkUrl(href, baseUrl)?.href ?? ''
}

function aroundIn(name: string, attributes: Attributes, around: Around): Around {
  if (name === 's' || name === 'del') return { ...around, isStruck: true }
  if (name === 'pre') return { ...around, isPreformatted: true }
  if (name === 'ul') return { ...around, list: { next: NaN } }
  if (name !== 'ol') return around
  return { ...around, list: { next: Number.parseInt(attributes['start'] ?? '1', 10) } }
}

/** Returns what starts the lines of an element: a bullet or number for a list item, `>` for a quotation. */
function marksOf(element: string, { list }: Around) {
  if (element === 'blockquote') return { first: '> ', others: '> ' }
  if (element !== 'li') return { first: '', others: '' }
  const first = list && !Number.isNaN(list.next) ? `${list.next}. ` : '- '
  if (list) list.next += 1
  return { first, others: ' '.repeat(first.length) }
}

/** Returns a table row on one line: `First: second, third`. */
function rowText(row: readonly string[]): string {
  const filled = row.filter((cell) => cell !== '')
  const lines = filled.join('\n')
  if (lines.length - filled.length >= maxRowLength || mark.test(lines)) return lines
  const end = row.findLastIndex((cell) => cell !== '') + 1
  const [label = '', ...others] = row.slice(0, end).map(withCommas)
  if (label === '' || others.length === 0) return filled.map(withCommas).join(', ')
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
