import { decodeHTML } from 'entities'
import { playerAddress, type Attributes } from './players.ts'
import { cleanText } from './text.ts'

type End = (() => void) | undefined
type Open = { readonly name: string; readonly end: End }

/** Receives the elements and texts of HTML in their order. */
export type MarkupWriter = {
  /**
   * Adds an element of the list below, a picture (`img`), the picture that browsers without scripts
   * show instead of another (`fallback`), or a `player` with the URL and title of its media.
   * Returns a function that ends the element.
   */
  readonly add: (name: string, attributes: Attributes) => End
  readonly addText: (text: string) => void
  /** Reading stops when this returns true. */
  readonly isFull: () => boolean
}

/** Elements that are nested more deeply are left out, but their content is kept. */
export const maxNesting = 40

/** Maximum number of open elements to search for the one that a tag closes. */
const maxSearched = 500

/** The same for all tags of a text. The rest of a text with more is left out. */
const maxSearchedInAll = 500_000

/** The rest of a text with more tags or entities is left out. */
const maxTags = 30_000
const maxEntities = 40_000

/** Longer texts are read in parts, because the writer may be full before their ends. */
const partLength = 32_768

/** Longer tags hardly repeat. */
const maxTagLength = 500

export const set = (names: string) => new Set(names.replace(/=\w+/g, '').split(' '))

/** Elements to keep, some under another name. */
const inlines = 'a b code del em i s small span strike=s strong sub sup u'
const blocks =
  'address=div article=div aside=div blockquote br caption center=div dd details=div dialog=div dir=ul div dl dt ' +
  'fieldset=div figcaption figure footer=div h1=h2 h2 h3 h4 h5 h6 header=div hgroup=div hr legend=div li listing=pre ' +
  'main=div menu=ul nav=div ol p pre section=div summary=div table tbody td tfoot=tbody th thead tr ul'
const kept = new Map(
  `${inlines} ${blocks}`.split(' ').map((each) => {
    const [name = '', element = name] = each.split('=')
    return [name, element]
  }),
)
const blockNames = set(blocks)

export const isBlock = (element: string) => blockNames.has(element)

/** Elements that are left out, but not their content. */
const unwrapped =
  'abbr acronym bdi bdo big blink body button cite colgroup data dfn font form head html ins kbd label map mark ' +
  'marquee nobr optgroup output picture q rb rt rtc ruby samp time tt var'

/** Elements whose content is not HTML. They are read as a whole, including their end. */
const raw = 'iframe noembed noframes script style textarea title xmp'
const voids = set(
  `area base basefont bgsound br col embed frame hr img input link meta param source spacer track wbr ${raw}`,
)

/** Elements whose content browsers do not show as text. */
const hidden = set(
  'applet audio canvas datalist embed frameset iframe math meter noembed noframes noscript object option progress ' +
    'rp script select style svg template textarea title video xml xmp',
)

const known = [...kept.keys(), unwrapped.replaceAll(' ', '|'), ...voids, ...hidden].join('|')
const flags =
  'allow\\w+|alt|class|compact|controls|download|hidden|href|id|loop|muted|name|noshade|nowrap|open|reversed|src|style'

/** Start of markup, including elements of Word, custom elements, and others with attributes. */
const markup =
  `(?:/(?:${known}|\\w+[:-][\\w:-]+)[\\s>]|(?:${known}|[amopuvwx]:\\w+|(?:dc|fb|ns\\d|st\\d):\\w+)` +
  `(?=[\\s/>])(?:(?:\\s+(?:${flags}|data-[\\w-]+))*\\s*/?>|[^<>]*=)|[a-z][\\w:-]*\\s[^<>"'=]*=["']|!--|!doctype|!\\[|\\?\\w)`
const tag = new RegExp(`<${markup}`, 'i')
const markupAtStart = new RegExp(`^\\s*<${markup}`, 'i')
const comment = '<!--(?:-?>|[^]*?(?:--!?>|$))'
const blockOrComment = new RegExp(`<(?:${[...blockNames].join('|')})[\\s/>]|${comment}`, 'gi')

/** Attributes. Each `=` can be followed by a value in quotation marks, which end before the tag. */
const rest = `(?<rest>[^=>]*(?:=(?:\\s*"[^"]*(?:"|$)|\\s*'[^']*(?:'|$)|(?!\\s*["']))[^=>]*)*)(?<last>>?)`
const tokens =
  `${comment}|<[!?][^>]*>?|<(?<name>${raw.replaceAll(' ', '|')})(?=[\\s/>])${rest}` +
  `[^<]*(?:<(?!/\\k<name>[\\s>])[^<]*)*(?:</[^>]*>?)?|<(?<slash>/?)(?<name>[a-z][^\\s/>]*)${rest}`
const token = new RegExp(`(?=<${markup})(?:${tokens})`, 'iy')
const attribute = /([^\s/=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|(\S*)))?/g

/** An entity. The semicolon may be missing only where that is not the start of another word. */
const anyEntity =
  '(?:#\\d+;|#\\d{2,7}|#x[\\da-f]{2,6}|[a-z][\\da-z]*;|nbsp(?!=)|' +
  '(?:amp|copy|deg|gt|lt|quot|reg|szlig|[a-z](?:acute|cedil|circ|grave|ring|slash|tilde|uml))(?![\\da-z=]))'
const entity = new RegExp(`&${anyEntity}`, 'i')
const falseEntity = new RegExp(`&(?=[a-z])(?!${anyEntity})`, 'gi')
const notEscapedTwice = /&(?!amp;(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);)/i
const surrogate = /&#(?:x0*(d[89a-f][\da-f]{2})|0*(5[5-7]\d{3}));?/gi

const invisible = /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all/i
const emptyLines = /\n(?:[^\S\n]*\n){2,}/g
const struck = /text-decoration[^;]{0,100}line-through/i

const cells = 'caption td th'
const rows = `${cells} tr`
const sections = `${rows} tbody tfoot thead`
const tableParts = set(`table ${sections}`)
const containers = set(`blockquote dir dl menu ol table ul ${cells}`)
const paragraph = set('p')
const noAttributes: Attributes = {}

/** Open elements that the start of another one closes, if no container is between them. */
const impliedEnds = new Map([
  ...[...blockNames].map((name) => [name, paragraph] as const),
  ...sections.split(' ').map((name) => [name, set(sections)] as const),
  ...cells.split(' ').map((name) => [name, set(cells)] as const),
  ['tr', set(rows)],
  ['li', set('li p')],
  ['dd', set('dd dt p')],
  ['dt', set('dd dt p')],
  ['a', set('a')],
  ['br', undefined],
])

/** Hidden elements whose content says what they play. */
const players = set('audio noscript object video')

/** Returns false for most plain text, quickly. */
export const mayBeMarkup = (text: string) => text.includes('<') || text.includes('&')

/** Returns HTML, or undefined for plain text. Markup that was escaped twice as a whole is read once more. */
function htmlFrom(text: string, isEscaped = false): string | undefined {
  if (text.includes('<') && tag.test(text)) return withoutBulk(text)
  if (!text.includes('&') || !entity.test(text)) return undefined
  if (isEscaped || !(/^\s*&lt;/.test(text) || !notEscapedTwice.test(text))) return text
  const once = decoded(text)
  const isTwice = isWholeMarkup(once) || !notEscapedTwice.test(text)
  return (isTwice ? htmlFrom(once, true) : undefined) ?? text
}

/** Returns true for text from a tag to the end of another one. */
function isWholeMarkup(text: string): boolean {
  const { length = Infinity } = markupAtStart.exec(text)?.[0] ?? {}
  const trimmed = text.trimEnd()
  return trimmed.endsWith('>') && trimmed.length > length
}

const pastedFile = /\bdata:[\w.+-]+\/[^\s"'<>]{1000}[^\s"'<>]*/g

/** Removes long content that is never shown, and the markers of CDATA sections. */
function withoutBulk(text: string): string {
  const html = text.replaceAll(pastedFile, '').replaceAll(' '.repeat(1_000), ' ')
  return html.includes('[CDATA[') ? html.replaceAll(/<!\[CDATA\[|\]\]>/g, '') : html
}

/** Decodes entities, except what only looks like one, and joins the halves of an emoji. */
function decoded(text: string): string {
  if (!text.includes('&')) return cleanText(text)
  const joined = text.replace(surrogate, (found, hex = '', decimal = '') => {
    const code = hex === '' ? Number(decimal) : Number.parseInt(hex, 16)
    return code >= 0xd800 && code < 0xe000 ? String.fromCharCode(code) : found
  })
  return cleanText(decodeHTML(joined.replace(falseEntity, '&amp;')))
}

/** Reads text that may be HTML, and omits hidden parts. Returns false for plain text. */
export function readMarkup(text: string, writer: MarkupWriter): boolean {
  const html = htmlFrom(text)
  if (html === undefined) return false
  const hasBlocks =
    html.includes('<') && html.matchAll(blockOrComment).some(([found]) => !found.startsWith('<!'))
  const reader = createReader(writer, !hasBlocks)
  // Most tags repeat.
  const tags = new Map<string, Tag>()
  let close = 0
  for (let at = 0; at < html.length && !reader.isDone();) {
    if (close <= at) close = html.indexOf('>', at) + 1 || Infinity
    const isTag = html[at] === '<'
    const key = isTag && close - at < maxTagLength ? html.slice(at, close) : ''
    const tag = isTag ? (tags.get(key) ?? tagAt(html, at)) : undefined
    const end = tag ? at + tag.length : textEnd(html, at)
    if (tag?.length === key.length) tags.set(key, tag)
    if (tag) reader.readTag(tag)
    else reader.readText(html.slice(at, end))
    at = end
  }
  reader.end()
  return true
}

type Tag = NonNullable<ReturnType<typeof tagAt>>

/**
 * Reads the tag, comment or declaration at a position. The name is empty for comments, declarations
 * and unfinished tags. Returns undefined for other text.
 */
function tagAt(html: string, at: number) {
  token.lastIndex = at
  const found = token.exec(html)
  if (!found) return undefined
  const { slash, name: given = '', rest: text = '', last } = found.groups ?? {}
  const lower = last === '>' ? given.toLowerCase() : ''
  const name = lower === 'image' ? 'img' : lower
  const isEnd = slash === '/' && name !== 'br'
  const closes = isEnd ? set(name) : impliedEnds.get(name)
  const attributes = attributesFrom(text)
  return {
    length: found[0].length,
    name,
    isEnd,
    closes,
    /** Open elements that keep the tag from closing those around them. */
    until: closes === paragraph ? blockNames : isEnd ? tablesAround(name) : containers,
    attributes,
    hides: isHidden(name, attributes),
    isStruck: struck.test(attributes['style'] ?? ''),
  }
}

/** The end of a hidden element also ends the tables in it. Otherwise, the rest would be hidden. */
function tablesAround(end: string): ReadonlySet<string> {
  return hidden.has(end) ? set('') : tableParts.has(end) ? set('table') : tableParts
}

/** Returns the next position where a tag may start, or the end of a part of long text. */
function textEnd(html: string, start: number): number {
  const tag = html.indexOf('<', start + 1)
  const end = tag === -1 ? html.length : tag
  const space = end - start > partLength ? html.indexOf(' ', start + partLength) : -1
  return space === -1 ? end : Math.min(end, space + 1)
}

function attributesFrom(text: string): Attributes {
  if (text === '') return noAttributes
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single, plain = ''] of text.matchAll(attribute))
    attributes[name.toLowerCase()] ??= decoded(double ?? single ?? plain)
  return attributes
}

/** Returns functions that read tags and text in order, and write what browsers would show. */
function createReader(writer: MarkupWriter, keepsLines: boolean) {
  /** Open elements, and the functions that end them. */
  const stack: Open[] = []
  /** The outermost hidden element. */
  let hiding: Open | undefined
  const played = new Set<string>()
  let pending = ''
  let tagCount = 0
  let entityCount = 0
  let searchedCount = 0
  const isTooLong = () =>
    tagCount > maxTags || entityCount > maxEntities || searchedCount > maxSearchedInAll

  /** Writes the text since the last element. */
  function flush(): void {
    if (pending === '') return
    const lines = keepsLines ? pending.replace(emptyLines, '\n\n').split('\n') : [pending]
    pending = ''
    for (const [index, line] of lines.entries()) {
      if (index > 0) writer.add('br', noAttributes)
      writer.addText(line)
    }
  }

  function add(element: string, attributes = noAttributes): End {
    flush()
    return writer.add(element, attributes)
  }

  /** Closes the innermost elements, down to the one at an index. */
  function closeTo(index: number): void {
    flush()
    for (let open; stack.length > index && (open = stack.pop());) {
      open.end?.()
      if (open === hiding) hiding = undefined
    }
  }

  function readTag(tag: Tag): void {
    const last = Math.max(stack.length - maxSearched, 0)
    for (let index = stack.length - 1; tag.closes && index >= last; index -= 1) {
      const open = stack[index]?.name ?? ''
      searchedCount += 1
      const isClosed = tag.closes.has(open)
      if (isClosed) closeTo(index)
      if (isClosed ? tag.isEnd : tag.until.has(open)) break
    }
    if (!tag.isEnd && tag.name !== '') readStart(tag)
  }

  function readStart({ name, attributes, hides, isStruck }: Tag): void {
    tagCount += 1
    const isShown = !hiding && !hides
    const element = isShown ? kept.get(name) : undefined
    if (hiding ? players.has(hiding.name) : hides) addPlayer(name, attributes)
    if (name === 'img' && isShown) return void add('img', attributes)
    if (name === 'img' && hiding?.name === 'noscript') return void add('fallback', attributes)
    if (voids.has(name)) return void (element && add(element))
    if (isShown && !element && !isStruck) return
    const isDeep = stack.length >= maxNesting
    const open = { name, end: element && !isDeep ? add(element, attributes) : undefined }
    stack.push(open)
    if (hides) hiding ??= open
    if (isShown && isStruck && !isDeep) stack.push({ name: '/s', end: add('s') })
  }

  function addPlayer(name: string, attributes: Attributes): void {
    const href = playerAddress(name, attributes)
    if (href === undefined || played.has(href)) return
    played.add(href)
    add('player', { href, title: (attributes['title'] ?? '').trim() })
  }

  function readText(given: string): void {
    if (hiding) return
    let at = given.indexOf('&')
    while (at !== -1 && (entityCount += 1) <= maxEntities) at = given.indexOf('&', at + 1)
    pending += decoded(at === -1 ? given : given.slice(0, at))
    if (pending.length > partLength) flush()
  }

  return {
    readTag,
    readText,
    isDone: () => isTooLong() || writer.isFull(),
    end() {
      if (isTooLong()) pending += ' …'
      closeTo(0)
    },
  }
}

function isHidden(name: string, attributes: Attributes): boolean {
  const { style = '', class: classes = '' } = attributes
  return (
    hidden.has(name) ||
    'hidden' in attributes ||
    invisible.test(style) ||
    (name === 'dialog' && !('open' in attributes)) ||
    // The script of the social network replaces the content.
    ('data-href' in attributes && classes.startsWith('fb-'))
  )
}

/** Matches the names that cameras and editors give to pictures, which describe nothing. */
const fileName =
  /\.(?:bmp|gif|heic|jpe?g|png|svg|tiff?|webp)$|^(?:dsc|image|img|photo|picture)[\W\d_]*$/i

/** Returns the alternative text of a picture, which is empty if it says nothing. */
export function altOf({ alt = '' }: Attributes): string {
  const text = alt.replace(/\s+/g, ' ').trim()
  return fileName.test(text) ? '' : text
}
