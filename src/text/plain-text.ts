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

/** Placeholders for the edges of blocks, line breaks and others. They do not occur in the text. */
const [edge = '', spacedEdge = '', lineBreak = '', addressEnd = '', keptSpace = ''] =
  '\u0001\u0002\u0003\u0004\u0005'
const edges = ` ${edge}${spacedEdge}`
const gaps = new RegExp(`[${edges}${lineBreak}]{2,}|[${edge}${spacedEdge}${lineBreak}]`, 'g')
const addressEnds = new RegExp(`${addressEnd}([\\p{L}\\p{N}])?`, 'gu')
const endsOfLines = /(?<![^\S\n])[^\S\n]+$/gm
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

function textOf(nodes: readonly MarkupNode[], max: number, baseUrl?: string): string {
  const alts: string[] = []
  let length = 0

  function shortened(words: string): string {
    const shown = words === '' || length > max ? '' : shortenedText(words, max - length)
    length += words.length
    return shown
  }

  function all(inside: readonly MarkupNode[], around: Around): string {
    const row: string[] = []
    let text = ''
    for (const node of inside) {
      if (length > max) break
      if (typeof node !== 'string' && cells.has(node.name)) {
        if (node.name === 'dt') text += rowText(row.splice(0))
        row.push(linesOf(all(node.children, around)))
      } else {
        const part = from(node, around)
        if (row.length > 0 && part.trim() !== '') text += rowText(row.splice(0))
        text += part
      }
    }
    return text + rowText(row)
  }

  function from(node: MarkupNode, around: Around): string {
    if (typeof node === 'string') return around.isStruck ? '' : words(node, around.isPreformatted)
    const { name, attributes, children } = node
    if (name === 'br') return lineBreak
    if (name === 'img' || name === 'fallback') {
      if (!around.isStruck) alts.push(altOf(attributes))
      return ''
    }
    if (name === 'a' || name === 'player') return link(node, around)
    const limit = !isBlock(name) ? '' : spaced.has(name) && !around.list ? spacedEdge : edge
    if (name === 'hr') return `${limit}---${limit}`
    const text = all(children, aroundIn(node, around))
    return `${limit}${framed.has(name) ? withMarks(linesOf(text), name, around) : text}${limit}`
  }

  function words(text: string, isPreformatted = false): string {
    const collapsed = text.replace(spaces, ' ')
    const trimmed = collapsed.trim()
    if (trimmed === '') return collapsed && ' '
    const end = collapsed.endsWith(trimmed) ? '' : ' '
    if (!isPreformatted)
      return `${collapsed.startsWith(trimmed) ? '' : ' '}${shortened(trimmed)}${end}`
    const lines = shortened(text.replace(endsOfLines, ''))
    return `${lines.replaceAll(' ', keptSpace).replaceAll('\n', lineBreak)}${end}`
  }

  function link({ name, attributes, children }: MarkupElement, around: Around): string {
    const { href = '', title = '' } = attributes
    const before = alts.length
    const content = all(children, around)
    if (baseUrl === undefined) return content
    const [email] = /(?<=^mailto:)[^?]+@[^?]+/i.exec(href) ?? []
    const address = email ?? linkUrl(href, baseUrl)?.href ?? ''
    const ending = address === '' ? '' : ` ${address}${addressEnd}`
    if (name === 'player') {
      return ending === '' || around.isStruck ? '' : ` ${shortened(title)}${ending} `
    }
    const text = linesOf(content)
    if (text === address || `${text}/` === address) return content
    if (text !== '') return `${content}${ending}`
    const pictures = alts.slice(before)
    return `${content}${shortened(pictures.join(' ').trim())}${pictures.length > 0 ? ending : ''}`
  }

  const text = linesOf(all(nodes, {})).replaceAll(keptSpace, ' ').trim()
  return text === '' ? shortenedText([...new Set(alts)].join('\n').trim(), max) : text
}

function aroundIn({ name, attributes }: MarkupElement, around: Around): Around {
  if (name === 's' || name === 'del') return { ...around, isStruck: true }
  if (name === 'pre') return { ...around, isPreformatted: true }
  if (name === 'ul') return { ...around, list: { next: NaN } }
  if (name !== 'ol') return around
  return { ...around, list: { next: Number.parseInt(attributes['start'] ?? '1', 10) } }
}

/** Replaces the edges of blocks by line breaks, with at most one empty line between texts. */
function linesOf(text: string): string {
  return text
    .replace(gaps, (gap) => {
      let count = 0
      for (const each of gap) {
        count = each === lineBreak ? Math.min(count + 1, 2) : Math.max(count, edges.indexOf(each))
      }
      return count === 0 ? ' ' : count === 1 ? '\n' : '\n\n'
    })
    .replace(addressEnds, (_found, next: string | undefined) => (next ? ` ${next}` : ''))
    .trim()
}

/** Adds a bullet or number to a list item, or `>` to the lines of a quotation. */
function withMarks(text: string, element: string, { list }: Around): string {
  if (text === '') return ''
  if (element === 'blockquote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (element !== 'li') return text
  const mark = list && !Number.isNaN(list.next) ? `${list.next}. ` : '- '
  if (list) list.next += 1
  return `${mark}${text.replaceAll('\n', `\n${keptSpace.repeat(mark.length)}`)}`
}

/** Returns a table row on one line: `First: second, third`. */
function rowText(row: readonly string[]): string {
  if (row.length === 0) return ''
  const filled = row.filter((cell) => cell !== '')
  const isLayout =
    filled.join('').length > maxRowLength || filled.some((cell) => /^(?:- |> |\d+\. )/m.test(cell))
  if (isLayout) return `${edge}${filled.join('\n')}${edge}`
  const [first = '', ...rest] = row
    .slice(0, row.lastIndexOf(filled.at(-1) ?? '') + 1)
    .map(withCommas)
  if (first === '' || rest.length === 0) return `${edge}${filled.map(withCommas).join(', ')}${edge}`
  const colon = /[,:;?!]$/.test(first) ? '' : ':'
  return `${edge}${first}${colon} ${rest.map((cell) => cell || '–').join(', ')}${edge}`
}

const withCommas = (text: string) =>
  text
    .trim()
    .replace(/([,.:;!?–-])?(?<!\s)\s*\n\s*/g, (_found, end = '') => (end ? `${end} ` : ', '))
