/** Text like `zqnews_images_captionzq`. */
const mark = /zq[a-z]+_[a-z\d_]+?zq/gi

/**
 * Returns the marks in a text, in lowercase. Also finds those that are folded, escaped, in pieces of
 * HTML, or in base64.
 */
export function marksIn(text: string): ReadonlySet<string> {
  const texts = [text, ...base64In(text)]
  const found = texts.flatMap((each) =>
    [each, decoded(each), decoded(each).replaceAll(/<[^>]*>/g, '')].flatMap(
      (form) => form.match(mark) ?? [],
    ),
  )
  return new Set(found.map((each) => each.toLowerCase()))
}

/** Decodes line folding, percent-encoding, and character references in HTML, XML and JSON. */
function decoded(text: string): string {
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/[\u00ad\u200b\u200c\u2060]/g, '')
    .replaceAll(/&(?:shy|ZeroWidthSpace);/g, '')
    .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => character(code, 16))
    .replaceAll(/&#(\d+);/g, (_, code: string) => character(code, 10))
    .replaceAll(/(?:\\u00|\\x|%|=)([\da-f]{2})/gi, (_, code: string) => character(code, 16))
    .replaceAll('\\', '')
}

function character(code: string, radix: number): string {
  return String.fromCharCode(Number.parseInt(code, radix))
}

function base64In(text: string): readonly string[] {
  return [...text.matchAll(/[\w+/-]{16,}={0,2}/g)].flatMap(([found]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(found.slice(start), 'base64').toString('latin1')),
  )
}
