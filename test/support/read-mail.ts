/** An email or one of its parts, with decoded header fields (RFC 5322, RFC 2047). */
export type ReadMail = {
  /** Header fields by lowercase name, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Decoded text. Empty for a message with parts. */
  readonly text: string
  readonly parts: readonly ReadMail[]
}

/** Reads an email (RFC 2045, RFC 2046). Throws for lines that are no header fields. */
export function readMail(raw: string): ReadMail {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n')
  const body = rest.join('\n\n')
  const fields = head
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .map(fieldFrom)
  const field = (name: string) => fields.find(([each]) => each === name)?.[1] ?? ''
  const [, boundary] = /^multipart\/.*boundary="([^"]+)"/.exec(field('content-type')) ?? []
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1)
    return { fields, text: '', parts: parts.map((part) => readMail(part.replace(/^\n/, ''))) }
  }
  const encoding = field('content-transfer-encoding')
  if (encoding === 'base64') {
    return { fields, text: Buffer.from(body, 'base64').toString('utf8'), parts: [] }
  }
  const text = encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body
  return { fields, text, parts: [] }
}

/** Returns the values of a header field. */
export function valuesOf({ fields }: ReadMail, name: string): readonly string[] {
  return fields.flatMap(([each, value]) => (each === name.toLowerCase() ? [value] : []))
}

function fieldFrom(line: string): readonly [string, string] {
  const [, name, value = ''] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? []
  if (name === undefined) throw new TypeError(`not a header field: ${line}`)
  return [name.toLowerCase(), withoutEncodedWords(value)]
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function withoutEncodedWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_whole, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : fromQuotedPrintable(text.replaceAll('_', ' ')),
    )
}
