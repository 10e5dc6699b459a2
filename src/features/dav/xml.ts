import { setImmediate as handleRequests } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { escapeHtml } from '../../text/html.ts'

/** Limits of a request body. A multiget may list the URLs of all entries. */
export const maxBodyBytes = 1024 * 1024
const maxDepth = 16
const maxHrefs = 5_000
/** Each property and filter condition takes time for every entry. */
const maxOtherElements = 300
/** Limited, because responses repeat the names for each entry. Phones send about 2,500. */
const maxNameCharacters = 6_000

export type Name = { readonly ns: string; readonly local: string }

export type Element = Name & {
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly Element[]
  readonly text: string
}

type OpenElement = Name & {
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

export const namespaces = {
  D: 'DAV:',
  C: 'urn:ietf:params:xml:ns:caldav',
  A: 'urn:ietf:params:xml:ns:carddav',
  CS: 'http://calendarserver.org/ns/',
  I: 'http://apple.com/ns/ical/',
} as const

/** Characters of a body that are parsed before other requests are handled. */
export const charactersPerTurn = 8 * 1024

/** Resolves to undefined if the text is not well-formed, contains a DTD or exceeds a limit. */
export async function parseXml(text: string): Promise<Element | undefined> {
  // Entities could expand a small body to a large one, and reading a long DTD takes time.
  if (text.includes('<!DOCTYPE')) return undefined
  const { parser, root } = createParser()
  try {
    for (let at = 0; at < text.length; at += charactersPerTurn) {
      if (at > 0) await handleRequests()
      parser.write(text.slice(at, at + charactersPerTurn))
    }
    parser.close()
    return root()
  } catch {
    return undefined
  }
}

/** Creates a parser that throws at the first error, or as soon as a limit is exceeded. */
function createParser() {
  const parser = new SaxesParser({ xmlns: true })
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  const countHref = counter(maxHrefs)
  const countOther = counter(maxOtherElements)
  const countCharacters = counter(maxNameCharacters)
  const countAttribute = counter(maxHrefs + maxOtherElements)
  parser.on('attribute', () => countAttribute())
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (is({ ns: uri, local }, namespaces.D, 'href')) countHref()
    else {
      countOther()
      countCharacters(uri.length + local.length)
    }
    const given = Object.values(attributes).map((each) => [each.local, each.value] as const)
    const element = { ns: uri, local, attributes: new Map(given), children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
    if (open.length > maxDepth) throw new RangeError('too many levels')
  })
  parser.on('closetag', () => void open.pop())
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  return { parser, root: () => root }
}

/** Returns a function that throws once it has counted more than `max`. */
function counter(max: number): (added?: number) => void {
  let count = 0
  return (added = 1) => {
    count += added
    if (count > max) throw new RangeError('too many')
  }
}

/** Escapes text, without the characters that XML 1.0 does not allow. */
export function escapeXml(text: string): string {
  const allowed = text.replaceAll(
    /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu,
    '',
  )
  // Parsers turn a bare carriage return into a line feed.
  return escapeHtml(allowed).replaceAll('\r', '&#13;')
}

export function is(element: Name | undefined, ns: string, local: string): boolean {
  return element?.ns === ns && element.local === local
}

export function childrenOf({ children }: Element, ns: string, local: string): readonly Element[] {
  return children.filter((child) => is(child, ns, local))
}

export function childOf(element: Element, ns: string, local: string): Element | undefined {
  return childrenOf(element, ns, local)[0]
}

const prefixes = new Map<string, string>(
  Object.entries(namespaces).map(([prefix, ns]) => [ns, prefix]),
)

/** Returns a name with one of the prefixes, or undefined for another namespace. */
export function prefixedName({ ns, local }: Name): string | undefined {
  const prefix = prefixes.get(ns)
  return prefix === undefined ? undefined : `${prefix}:${local}`
}

/** Returns an element with escaped text or other elements as its content. */
export function xml(given: string | Name, content = ''): string {
  const [name, declared = ''] = typeof given === 'string' ? [given] : nameAndNamespace(given)
  return content === '' ? `<${name}${declared}/>` : `<${name}${declared}>${content}</${name}>`
}

function nameAndNamespace(name: Name): readonly [name: string, declared?: string] {
  const prefixed = prefixedName(name)
  if (prefixed !== undefined) return [prefixed]
  const { ns, local } = name
  return ns === '' ? [local, ' xmlns=""'] : [`X:${local}`, ` xmlns:X="${escapeXml(ns)}"`]
}

const declarations = Object.entries(namespaces)
  .map(([prefix, ns]) => ` xmlns:${prefix}="${ns}"`)
  .join('')

/** Returns a document whose root declares all prefixes. */
export function xmlDocument(root: string, content: readonly Buffer[]): Buffer {
  const start = `<?xml version="1.0" encoding="utf-8"?>\n<${root}${declarations}>`
  return Buffer.concat([Buffer.from(start), ...content, Buffer.from(`</${root}>`)])
}
