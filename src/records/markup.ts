import { Parser, type Handler } from 'htmlparser2'
import { playerAddress, type Attributes } from './player.ts'
import { cleanText } from './text.ts'

/** Receives well-formed markup with the elements below, without anything that is hidden. */
export type MarkupSink = {
  readonly open: (element: string, attributes: Attributes) => void
  readonly close: (element: string) => void
  readonly text: (text: string) => void
  /** Receives a picture. `isFallback` is true for one that replaces another if scripts are off. */
  readonly picture: (attributes: Attributes, isFallback: boolean) => void
  /** Receives the page or file of a video, a live stream or a recording. */
  readonly player: (address: string, title: string) => void
  /** Returns true if the sink ignores the rest. */
  readonly isFull: () => boolean
}

/** Elements that are nested more deeply are left out, but their content is kept. */
export const maxNesting = 40

/** The rest of a text with more tags is left out. */
const maxTags = 30_000

/** Length of the parts that are parsed until a sink is full. */
const partLength = 32_768

const set = (names: string) => new Set(names.split(' '))

const inlines = set('a b code del em i s small span strong sub sup u')
const blocks = set(
  'blockquote br caption dd div dl dt figcaption figure h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul',
)

export const isBlock = (element: string) => blocks.has(element)

const divs = set(
  'address article aside center details dialog fieldset footer header hgroup legend main nav section summary',
)
const aliases: Attributes = {
  dir: 'ul',
  h1: 'h2',
  listing: 'pre',
  menu: 'ul',
  strike: 's',
  tfoot: 'tbody',
  ...Object.fromEntries([...divs].map((name) => [name, 'div'])),
  ...Object.fromEntries([...inlines, ...blocks].map((name) => [name, name])),
}

/** Elements that are left out, but not their content. */
const unwrapped =
  'abbr acronym bdi bdo big blink body button cite colgroup data dfn font form head html ins kbd label map mark ' +
  'marquee nobr optgroup output picture q rb rt rtc ruby samp time tt var'
const voids = set(
  'area base basefont bgsound br col embed frame hr img input link meta param source spacer track wbr',
)

/** Elements whose content browsers do not show as text. */
const hidden = set(
  'applet audio canvas datalist embed frameset iframe math meter noembed noframes noscript object option progress ' +
    'rp script select style svg template textarea title video xml xmp',
)

const known = [...Object.keys(aliases), ...unwrapped.split(' '), ...voids, ...hidden].join('|')
const flags =
  'allow\\w+|alt|class|compact|controls|download|hidden|href|id|loop|muted|name|noshade|nowrap|open|reversed|src|style'

/** Start of markup, including elements of Word, custom elements, and others with attributes. */
const markup =
  `(?:/(?:${known}|\\w+[:-][\\w:-]+)[\\s>]|(?:${known}|[amopuvwx]:\\w+|(?:dc|fb|ns\\d|st\\d):\\w+)` +
  `(?=[\\s/>])(?:(?:\\s+(?:${flags}|data-[\\w-]+))*\\s*/?>|[^<>]*=)|[a-z][\\w:-]*\\s[^<>"'=]*=["']|!--|!doctype|!\\[|\\?\\w)`
const tag = new RegExp(`<${markup}`, 'i')
const falseTag = new RegExp(`<(?!${markup})`, 'gi')
const isWholeMarkup = new RegExp(`^\\s*<${markup}[^]*>\\s*$`, 'i')
const blockNames = Object.keys(aliases).filter((name) => isBlock(aliases[name] ?? ''))
const blockTag = new RegExp(`<(?:${blockNames.join('|')})[\\s/>]`, 'i')

/** An entity. The semicolon may be missing only where that is not the start of another word. */
const anyEntity =
  '(?:#\\d+;|#\\d{2,7}|#x[\\da-f]{2,6}|[a-z][\\da-z]*;|nbsp(?!=)|' +
  '(?:amp|copy|deg|gt|lt|quot|reg|szlig|[a-z](?:acute|cedil|circ|grave|ring|slash|tilde|uml))(?![\\da-z=]))'
const entity = new RegExp(`&${anyEntity}`, 'i')
const falseEntity = new RegExp(`&(?=[a-z])(?!${anyEntity})`, 'gi')
const notEscapedTwice = /&(?!amp;(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);)/i
const escaped = /&(amp|apos|gt|lt|quot|#39);/g
const characters: Attributes = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"', '#39': "'" }
const surrogate = /&#(?:x0*(d[89a-f][\da-f]{2})|0*(5[5-7]\d{3}));?/gi

const invisible = /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all/i
const emptyLines = /\n(?:[^\S\n]*\n){2,}/g
const struck = /text-decoration[^;]{0,100}line-through/i

const cells = ['caption', 'td', 'th']
const row = [...cells, 'tr']

/** Open elements that the start of another one closes, up to an element that contains both. */
type ImpliedEnds = { readonly closed: readonly string[]; readonly until: ReadonlySet<string> }

const containers = set('blockquote caption dir dl menu ol table td th ul')
const paragraph = { closed: ['p'], until: new Set(blockNames) }
const definition = { closed: ['dd', 'dt', 'p'], until: containers }
const cell = { closed: cells, until: containers }
const section = { closed: [...row, 'tbody', 'tfoot', 'thead'], until: containers }
const impliedEnds = new Map<string, ImpliedEnds>([
  ...blockNames.filter((name) => name !== 'br').map((name) => [name, paragraph] as const),
  ...['dd', 'dt'].map((name) => [name, definition] as const),
  ...['td', 'th'].map((name) => [name, cell] as const),
  ...['caption', 'tbody', 'tfoot', 'thead'].map((name) => [name, section] as const),
  ['a', { closed: ['a'], until: containers }],
  ['li', { closed: ['li', 'p'], until: containers }],
  ['tr', { closed: row, until: containers }],
])
const tableParts = set('caption table tbody td tfoot th thead tr')

/** Hidden elements whose content says what they play. */
const players = set('audio noscript object video')
const playable = set('audio embed iframe object param source video')

/** Returns false for most plain text, quickly. */
export const mayBeMarkup = (text: string) => text.includes('<') || text.includes('&')

/** Returns HTML, or undefined for plain text. Markup that was escaped twice as a whole is read once more. */
function htmlFrom(text: string, isEscaped = false): string | undefined {
  if (!mayBeMarkup(text)) return undefined
  if (tag.test(text)) return withoutBulk(text)
  if (!entity.test(text)) return undefined
  if (isEscaped || !(/^\s*&lt;/.test(text) || !notEscapedTwice.test(text))) return text
  const once = text.replace(escaped, (_, name: string) => characters[name] ?? '')
  const isTwice = isWholeMarkup.test(once) || !notEscapedTwice.test(text)
  return (isTwice ? htmlFrom(once, true) : undefined) ?? text
}

/** Long parts of pasted documents that are never shown. Removing them is faster than parsing them. */
const bulk = [
  [/<!--(?:-?>|[^]*?-->)/g, '-->'],
  [/<xml[\s>][^]*?<\/xml>/g, '</xml>'],
  [/<style[\s>][^]*?<\/style>/g, '</style>'],
] as const

const pastedFile = /\bdata:[\w.+-]+\/[^\s"'<>]{1000,}/g

/** Matches the first attributes of an element, if they only determine what it looks like. */
const appearance =
  /(<[a-z]\w*)(?:\s+(?:class|lang|style)=(?:"(?![^"]*(?:none|hid|through|fb-))[^"<>]*"|'(?![^']*(?:none|hid|through|fb-))[^'<>]*'))+/gi

function withoutBulk(text: string): string {
  let html = text.replace(pastedFile, 'data:,').replace(appearance, '$1')
  for (const [part, end] of bulk) {
    // Without an end, each part would be searched for it.
    const stop = html.lastIndexOf(end) + end.length
    if (stop >= end.length) html = html.slice(0, stop).replace(part, '') + html.slice(stop)
  }
  return html.includes('<![CDATA[') ? html.replaceAll(/<!\[CDATA\[|\]\]>/g, '') : html
}

/** Escapes characters that only look like markup, and joins the halves of an emoji. */
function partFrom(html: string): string {
  const part = html.replace(falseTag, '&lt;')
  if (!part.includes('&')) return part
  const decodable = part.replace(falseEntity, '&amp;')
  if (!decodable.includes('&#')) return decodable
  return decodable.replace(surrogate, (found, hex = '', decimal = '') => {
    const code = hex === '' ? Number(decimal) : Number.parseInt(hex, 16)
    return code >= 0xd800 && code < 0xe000 ? String.fromCharCode(code) : found
  })
}

/** An open element, and the one that the sink received for it. */
type Open = {
  readonly name: string
  readonly element: string | undefined
  /** True if its text is struck out by its style. */
  readonly isStruck: boolean
}

/** Parses text that may be HTML. Returns false without calling the sink if it is plain text. */
export function readMarkup(text: string, sink: MarkupSink): boolean {
  const html = htmlFrom(text)
  if (html === undefined) return false
  const keepsLines = !blockTag.test(html)
  const stack: Open[] = []
  /** Number of open elements that are too deep for the stack, by name. */
  const tooDeep = new Map<string, number>()
  /** Index of the outermost hidden element. */
  let hiddenAt = Infinity
  const played = new Set<string>()
  let pending = ''
  let tagCount = 0

  function flush(): void {
    if (pending === '') return
    const part = cleanText(pending)
    const lines = keepsLines ? part.replace(emptyLines, '\n\n').split('\n') : [part]
    pending = ''
    for (const [index, line] of lines.entries()) {
      if (sink.isFull()) return
      if (index > 0) sink.open('br', {})
      if (line !== '') sink.text(line)
    }
  }

  /** Closes the innermost elements, down to the one at an index. */
  function closeTo(index: number): void {
    flush()
    while (stack.length > index) {
      const { element, isStruck } = stack.pop() ?? {}
      if (isStruck === true) sink.close('s')
      if (element !== undefined) sink.close(element)
    }
    if (hiddenAt >= index) hiddenAt = Infinity
    if (tooDeep.size > 0) tooDeep.clear()
  }

  function closeImplied({ closed, until }: ImpliedEnds): void {
    for (let index = stack.length - 1; index >= 0; index -= 1) {
      const { name } = stack[index] ?? { name: '' }
      if (closed.includes(name)) closeTo(index)
      else if (until.has(name)) return
    }
  }

  function readStart(name: string, attributes: Attributes): void {
    const element = aliases[name]
    const implied = impliedEnds.get(name)
    if (implied) closeImplied(implied)
    const around = stack[hiddenAt]?.name
    const hides = around === undefined && isHidden(name, attributes)
    const isShown = around === undefined && !hides
    if (hides || (around !== undefined && players.has(around) && playable.has(name))) {
      readPlayer(name, attributes)
    }
    if (voids.has(name)) {
      if (name === 'img' && (isShown || around === 'noscript')) {
        flush()
        sink.picture(attributes, !isShown)
      } else if (element !== undefined && isShown) {
        flush()
        sink.open(element, {})
      }
      return
    }
    const isStruck = isShown && struck.test(attributes['style'] ?? '')
    if (isShown && element === undefined && !isStruck) return
    if (stack.length >= maxNesting && !hides) {
      tooDeep.set(name, (tooDeep.get(name) ?? 0) + 1)
      return
    }
    flush()
    if (hides) hiddenAt = stack.length
    stack.push({ name, element: isShown ? element : undefined, isStruck })
    if (element !== undefined && isShown) sink.open(element, attributes)
    if (isStruck) sink.open('s', {})
  }

  function readPlayer(name: string, attributes: Attributes): void {
    const address = playerAddress(name, attributes)
    if (address === undefined || played.has(address)) return
    played.add(address)
    flush()
    sink.player(address, cleanText(attributes['title'] ?? '').trim())
  }

  function readEnd(name: string): void {
    if (name === 'br') return readStart(name, {})
    const deep = tooDeep.get(name) ?? 0
    if (deep > 0) return void tooDeep.set(name, deep - 1)
    for (let index = stack.length - 1; index >= 0; index -= 1) {
      const open = stack[index]?.name ?? ''
      if (open === name) return closeTo(index)
      if (open === 'table' || (cells.includes(open) && !tableParts.has(name))) return
    }
  }

  const isDone = () => tagCount > maxTags || sink.isFull()
  const parser = new TagParser(readEnd, {
    onopentag(name, attributes) {
      readStart(name, attributes)
      tagCount += 1
      if (isDone()) parser.pause()
    },
    ontext(part) {
      if (hiddenAt === Infinity) pending += part
    },
  })
  for (let start = 0; start < html.length && !isDone();) {
    const next = html.indexOf('<', start + partLength)
    const end = next === -1 ? html.length : next
    parser.write(partFrom(html.slice(start, end)))
    start = end
  }
  parser.end()
  if (tagCount > maxTags) pending += ' …'
  closeTo(0)
  return true
}

function isHidden(name: string, attributes: Attributes): boolean {
  const { style, class: classes = '' } = attributes
  return (
    hidden.has(name) ||
    'hidden' in attributes ||
    (name === 'dialog' && !('open' in attributes)) ||
    (style !== undefined && invisible.test(style)) ||
    // The script of the social network replaces the content.
    ('data-href' in attributes && classes.startsWith('fb-'))
  )
}

/** Matches the names that cameras and editors give to pictures, which describe nothing. */
const fileName =
  /\.(?:bmp|gif|heic|jpe?g|png|svg|tiff?|webp)$|^(?:dsc|image|img|photo|picture)[\W\d_]*$/i

/** Returns the alternative text of a picture, which is empty if it says nothing. */
export function altOf({ alt = '' }: Attributes): string {
  const text = cleanText(alt).replace(/\s+/g, ' ').trim()
  return fileName.test(text) ? '' : text
}

/** Reports every tag. It has no stack of elements, which would take quadratic time. */
class TagParser extends Parser {
  readonly #readEnd: (name: string) => void
  #part = ''
  #offset = 0

  constructor(readEnd: (name: string) => void, handler: Partial<Handler>) {
    super(handler)
    this.#readEnd = readEnd
  }

  override write(part: string): void {
    this.#offset += this.#part.length
    this.#part = part
    super.write(part)
  }

  override isVoidElement(): boolean {
    return true
  }

  override onclosetag(start: number, end: number): void {
    this.#readEnd(this.#part.slice(start - this.#offset, end - this.#offset).toLowerCase())
  }
}
