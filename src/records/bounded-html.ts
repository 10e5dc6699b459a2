import { Parser } from 'htmlparser2'

/**
 * Elements that are nested more deeply are removed, but their text is kept. Parsing time is
 * quadratic in the depth, and pages written by people never nest elements this deeply.
 */
export const maxNesting = 100

/** HTML with fewer tags can be parsed quickly at any depth. */
const fewTags = 500

/** Elements whose text is not shown to readers. Some parsers might interpret it as elements. */
const unreadElements = new Set(['iframe', 'noembed', 'noframes', 'script', 'style'])

const tag = /<[a-z]/gi
const name = /^[a-z][\w:-]*$/i

/**
 * Returns the same HTML with elements at most `maxNesting` deep. Every element is closed and all text is
 * escaped, so no parser finds other elements in it.
 */
export function boundedHtml(html: string): string {
  return (html.match(tag)?.length ?? 0) <= fewTags ? html : rewritten(html)
}

function rewritten(html: string): string {
  const parts: string[] = []
  let isClosed = false
  let innermost = ''
  const parser = new BoundedParser({
    onopentag(element, attributes) {
      // Elements without content get their closing event right away.
      const isDropped = parser.isTooDeep || parser.depth >= maxNesting
      isClosed = isDropped || parser.isVoidElement(element)
      innermost = element
      if (isDropped) return
      if (name.test(element)) parts.push(`<${element}${attributesText(attributes)}>`)
      if (!isClosed) parser.depth += 1
    },
    onclosetag(element) {
      if (!isClosed) {
        parser.depth -= 1
        if (name.test(element)) parts.push(`</${element}>`)
      }
      isClosed = false
      innermost = ''
    },
    ontext(text) {
      if (!unreadElements.has(innermost)) parts.push(escapeHtml(text))
    },
  })
  parser.end(html)
  return parts.join('')
}

/** Treats elements that are too deep as void elements, which keeps the parser's stack short. */
class BoundedParser extends Parser {
  depth = 0
  isTooDeep = false

  override onopentagname(start: number, end: number): void {
    this.isTooDeep = this.depth >= maxNesting
    super.onopentagname(start, end)
  }

  override onclosetag(start: number, end: number): void {
    this.isTooDeep = false
    super.onclosetag(start, end)
  }

  override isVoidElement(element: string): boolean {
    return this.isTooDeep || super.isVoidElement(element)
  }
}

function attributesText(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .filter(([attribute]) => name.test(attribute))
    .map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
    .join('')
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
