import type { IncomingHttpHeaders } from 'node:http'
import { MIMEType } from 'node:util'
import type { RequestHandler } from 'express'
import type { ErrorText } from './errors.ts'
import { sendMessage } from './send-message.ts'
import { bodyReader } from './request-body.ts'

/** Limit for a form, which is enough for 500 places. */
export const maxFormBytes = 128 * 1024

/** Limit for a form with a file, which is enough for a logo from a camera. */
export const maxUploadBytes = 8 * 1024 * 1024

/** Limit for the text in a form with a file, without pictures. Enough for a list of 500 links. */
export const maxTextBytes = 256 * 1024

/** Maximum number of fields in a form with a file. The longest form has a few dozen. */
const maxFields = 1_000

const tooManyFields: ErrorText = ({ forms }) => forms.tooManyFields(maxFields)

const textTooLong: ErrorText = ({ forms }) => forms.tooLong(maxTextBytes / 1024)

/** Content of a form, or one sentence for each invalid field. */
export type FormReading<Content> =
  ({ readonly ok: true } & Content) | { readonly ok: false; readonly faults: readonly string[] }

export const readForm = bodyReader('text', 'application/x-www-form-urlencoded', maxFormBytes)

/**
 * Reads a form with a file (RFC 7578), which replaces the text of the field with the same name. A
 * picture becomes a data URL. Any other file is text, without its byte order mark. Bytes that are
 * not UTF-8 become U+FFFD. Rejects text that is too long to be processed while others wait.
 */
export const readUpload: readonly RequestHandler[] = [
  bodyReader('raw', 'multipart/form-data', maxUploadBytes),
  async (request, response, next) => {
    const { body, headers } = request as { body: unknown; headers: IncomingHttpHeaders }
    if (!Buffer.isBuffer(body)) return next()
    const type = headers['content-type'] ?? ''
    const excess = excessIn(body, type)
    if (excess !== undefined) return sendMessage(response, 413, excess)
    const sent = await new globalThis.Response(body, { headers: { 'Content-Type': type } })
      .formData()
      .catch(() => undefined)
    if (!sent) return sendMessage(response, 400, ({ forms }) => forms.unreadable)
    const sizes = [...sent].map(([name, value]) => name.length + textBytesOf(value))
    const textBytes = sizes.reduce((sum, size) => sum + size, 0)
    if (textBytes > maxTextBytes) return sendMessage(response, 413, textTooLong)
    const fields = new URLSearchParams()
    for (const [name, value] of sent) {
      if (typeof value === 'string') fields.append(name, value)
      else if (value.size > 0) fields.set(name, await textOf(value))
    }
    // Escaping a picture would take as long as rendering many pages.
    request.body = fields
    next()
  },
]

/** Returns a sentence about a form that would take too long to parse, or undefined. */
function excessIn(body: Buffer, type: string): ErrorText | undefined {
  const delimiter = `--${new MIMEType(type).params.get('boundary') ?? ''}`
  let headerBytes = 0
  let at = body.indexOf(delimiter)
  for (let fields = 0; at !== -1; fields += 1) {
    if (fields > maxFields) return tooManyFields
    const end = body.indexOf('\r\n\r\n', at)
    headerBytes += (end === -1 ? body.length : end) - at
    if (headerBytes > maxTextBytes) return textTooLong
    at = body.indexOf(delimiter, at + 1)
  }
  return undefined
}

const isPicture = ({ type }: File) => type.startsWith('image/')

/** A picture that a form has kept. */
const pictureUrl = /^data:image\/[\w.+-]+;base64,[\w+/=]*$/

function textBytesOf(value: string | File): number {
  if (typeof value === 'string') return pictureUrl.test(value) ? 0 : Buffer.byteLength(value)
  return isPicture(value) ? 0 : value.size
}

async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  if (!isPicture(file)) return new TextDecoder().decode(bytes)
  return `data:${file.type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** Returns form fields by name. Missing fields are empty. */
export function fieldsFrom<Name extends string>(sent: URLSearchParams, ...names: readonly Name[]) {
  const fields = names.map((name) => [name, sent.get(name) ?? ''])
  return Object.fromEntries(fields) as Readonly<Record<Name, string>>
}

export function formOf({ body }: { readonly body?: unknown }): URLSearchParams {
  return new URLSearchParams(
    typeof body === 'string' || body instanceof URLSearchParams ? body : '',
  )
}
