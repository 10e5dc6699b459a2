import { linkUrl } from './html.ts'
import { altOf, isBlock, mayBeMarkup, readMarkup, type MarkupSink } from './markup.ts'
import { shortenedText } from './text.ts'

const maxLength = 200_000

/** Length limit for single-line fields such as titles, names and locations. */
const maxLineLength = 10_000

/** Tables with longer rows are page layout, so each of their cells has its own lines. */
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
  const sink = mayBeMarkup(html) ? textSink(max - 1, baseUrl) : undefined
  if (sink && readMarkup(html, sink)) return sink.result()
  const text = html.toWellFormed()
  return text.length <= max ? text : shortenedText(text, max - 1)
}

/** Blocks with an empty line before and after them. */
const spaced = new Set('blockquote dl figure h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '))

/** Elements whose text is needed as a whole. */
const framed = new Set(['blockquote', 'dl', 'li', 'table'])

type Frame = {
  readonly parts: string[]
  /** Line breaks before the next part. */
  breaks: number
  hasSpace: boolean
  /** True after a URL, which must not continue with the next word. */
  isAddress: boolean
  /** The finished cells of a row, and the number of parts before the cell that is not finished. */
  readonly cells: string[]
  cellStart: number | undefined
}

const newFrame = (): Frame => ({
  parts: [],
  breaks: 0,
  hasSpace: false,
  isAddress: false,
  cells: [],
  cellStart: undefined,
})

function textSink(max: number, baseUrl?: string): MarkupSink & { readonly result: () => string } {
  let frame = newFrame()
  const frames: Frame[] = []
  /** Number of the next item in each open list, or NaN for lists without numbers. */
  const lists: number[] = []
  const links: { readonly href: string; readonly start: number; readonly alts: number }[] = []
  const alts: string[] = []
  let length = 0
  let struckDepth = 0
  let preDepth = 0

  function add(text: string): void {
    if (frame.cells.length > 0 && frame.cellStart === undefined) endRow()
    if (frame.parts.length > (frame.cellStart ?? 0)) {
      const isSpaced = frame.hasSpace || (frame.isAddress && /^[\p{L}\p{N}]/u.test(text))
      frame.parts.push(frame.breaks > 0 ? '\n'.repeat(frame.breaks) : isSpaced ? ' ' : '')
    }
    frame.parts.push(text)
    Object.assign(frame, { breaks: 0, hasSpace: false, isAddress: false })
  }

  function addWords(text: string): void {
    if (length <= max) add(shortenedText(text, max - length))
    length += text.length
  }

  function addLine(text: string): void {
    if (text === '') return
    breakLine(1)
    add(text)
    breakLine(1)
  }

  function breakLine(breaks: number): void {
    frame.breaks = Math.max(frame.breaks, breaks)
  }

  function addBreak(): void {
    frame.breaks = Math.min(frame.breaks + 1, 2)
  }

  function startCell(): void {
    endCell()
    frame.cellStart = frame.parts.length
    frame.breaks = 0
  }

  function endCell(): void {
    if (frame.cellStart === undefined) return
    frame.cells.push(frame.parts.splice(frame.cellStart).join('').trim())
    frame.cellStart = undefined
  }

  function endRow(): void {
    endCell()
    addLine(rowText(frame.cells.splice(0)))
  }

  function endFrame(): string {
    endRow()
    const text = frame.parts.join('')
    frame = frames.pop() ?? newFrame()
    return text
  }

  function listItem(text: string): string {
    const number = lists.pop() ?? NaN
    lists.push(number + 1)
    const prefix = Number.isNaN(number) ? '- ' : `${number}. `
    return `${prefix}${text.replaceAll('\n', `\n${' '.repeat(prefix.length)}`)}`
  }

  function endLink(): void {
    const { href = '', start = 0, alts: before = 0 } = links.pop() ?? {}
    if (baseUrl === undefined) return
    const text = frame.parts.slice(start).join('').trim()
    const pictures = alts.slice(before)
    if (text === '' && pictures.length > 0) addWords(pictures.join(' ').trim())
    const address = readableAddress(href, baseUrl)
    const isRead = text === address || `${text}/` === address
    if (!isRead && (text !== '' || pictures.length > 0)) addAddress(address)
  }

  function addAddress(address: string): void {
    if (address === '') return
    const { hasSpace } = frame
    frame.hasSpace = true
    add(address)
    frame.hasSpace = hasSpace
    frame.isAddress = true
  }

  return {
    open(element, attributes) {
      if (element === 'br') return addBreak()
      if (element === 'a') {
        const { href = '' } = attributes
        links.push({ href, start: frame.parts.length, alts: alts.length })
      }
      if (element === 's' || element === 'del') struckDepth += 1
      if (element === 'pre') preDepth += 1
      if (isBlock(element)) breakLine(spaced.has(element) && lists.length === 0 ? 2 : 1)
      if (element === 'hr') {
        add('---')
        breakLine(2)
      }
      if (element === 'tr' || element === 'dt') endRow()
      if (/^(?:d[dt]|t[dh])$/.test(element)) startCell()
      if (element === 'ul') lists.push(NaN)
      if (element === 'ol') lists.push(Number.parseInt(attributes['start'] ?? '1', 10))
      if (!framed.has(element)) return
      frames.push(frame)
      frame = newFrame()
    },
    close(element) {
      if (element === 'a') endLink()
      if (element === 's' || element === 'del') struckDepth -= 1
      if (element === 'pre') preDepth -= 1
      if (/^(?:d[dt]|t[dh])$/.test(element)) endCell()
      if (element === 'tr') endRow()
      if (element === 'ul' || element === 'ol') lists.pop()
      if (framed.has(element)) {
        const text = endFrame()
        const isItem = element === 'li' && text !== ''
        const isQuote = element === 'blockquote' && text !== ''
        addLine(isItem ? listItem(text) : isQuote ? `> ${text.replaceAll('\n', '\n> ')}` : text)
      }
      if (isBlock(element)) breakLine(spaced.has(element) && lists.length === 0 ? 2 : 1)
    },
    text(data) {
      if (struckDepth > 0) return
      if (preDepth > 0) {
        for (const [index, line] of data.split('\n').entries()) {
          if (index > 0) addBreak()
          if (line.trim() !== '') addWords(line.trimEnd())
          frame.hasSpace = /\s$/.test(line)
        }
        return
      }
      const collapsed = data.replace(/[ \t\n\r\f\u00a0]{2,}|[\t\n\r\f]/g, ' ')
      const words = collapsed.trim()
      if (/^\s/.test(collapsed)) frame.hasSpace = true
      if (words === '') return
      addWords(words)
      frame.hasSpace = /\s$/.test(collapsed)
    },
    picture(attributes) {
      if (struckDepth === 0) alts.push(altOf(attributes))
    },
    player(address, title) {
      const url = baseUrl === undefined ? '' : readableAddress(address, baseUrl)
      if (url === '' || struckDepth > 0) return
      frame.hasSpace = true
      if (title !== '') addWords(title)
      addAddress(url)
      frame.hasSpace = true
    },
    isFull: () => length > max,
    result() {
      const text = endFrame().trim()
      return text === '' ? shortenedText([...new Set(alts)].join('\n').trim(), max) : text
    },
  }
}

/** Returns a table row on one line: `First: second, third`. */
function rowText(cells: readonly string[]): string {
  const filled = cells.filter((cell) => cell !== '')
  if (
    filled.join('').length > maxRowLength ||
    filled.some((cell) => /^(?:- |> |\d+\. )/m.test(cell))
  ) {
    return filled.join('\n')
  }
  const [first = '', ...rest] = cells
    .slice(0, cells.lastIndexOf(filled.at(-1) ?? '') + 1)
    .map(withCommas)
  if (first === '' || rest.length === 0) return filled.map(withCommas).join(', ')
  return `${first}${/[,:;?!]$/.test(first) ? '' : ':'} ${rest.map((cell) => cell || '–').join(', ')}`
}

function withCommas(text: string): string {
  if (!text.includes('\n')) return text.trim()
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines
    .join('\n')
    .replace(/(?<=[,.:;!?–-])\n/g, ' ')
    .replaceAll('\n', ', ')
}

/** Returns an empty string for an address that readers cannot use. */
function readableAddress(href: string, baseUrl: string): string {
  const [, email] = /^mailto:([^?]+@[^?]+)/i.exec(href) ?? []
  return email ?? linkUrl(href, baseUrl)?.href ?? ''
}
