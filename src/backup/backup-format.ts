import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parsedJson } from '../json.ts'
import { StoreError } from '../store/store-error.ts'
import { isDocument, type StoredItem } from '../store/store.ts'

/*
 * A backup is gzipped JSON Lines: a head, a line for each document and event, and an end with the counts
 * and the SHA-256 hash of all preceding bytes.
 */

/** Incremented for every change that older versions of Feedhouse would misread. */
const formatVersion = 1

/** Maximum size of a line or document. With escapes, a longer line could exceed the maximum string length. */
export const maxLineBytes = 256 * 1024 * 1024

/** Restored documents get higher revisions, which must stay exact numbers however often they change. */
const maxRevision = 2 ** 52

export type BackupCounts = { readonly documents: number; readonly events: number }

const formatSchema = z.object({
  format: z.literal('feedhouse backup'),
  formatVersion: z.int().positive(),
  feedhouse: z.string(),
})

const isHttpOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text

const headSchema = z.object({
  /** Version of Feedhouse that wrote the backup. */
  feedhouse: z.string(),
  /** Origin of the website. */
  site: z.string().refine(isHttpOrigin),
  /** ISO 8601 in the file, and milliseconds since the epoch once parsed. */
  takenAt: z.iso.datetime().transform((text) => Date.parse(text)),
})

export type BackupHead = Readonly<z.infer<typeof headSchema>>

/** Safe integer, so that every store keeps it exactly. */
const wholeNumber = z.int().nonnegative()

/** Milliseconds since the epoch, within the range of `Date`. */
const time = wholeNumber.max(8.64e15)

const itemSchema = z.union([
  z.strictObject({
    bucket: z.string(),
    id: z.string(),
    value: z.string(),
    revision: wholeNumber,
    expiresAt: time.exactOptional(),
  }),
  z.strictObject({ window: z.string(), id: z.string(), at: time }),
])

const endSchema = z.strictObject({
  end: z.literal(true),
  documents: wholeNumber,
  events: wholeNumber,
  sha256: z.string(),
})

export async function* backupLines(
  head: BackupHead,
  items: AsyncIterable<StoredItem>,
): AsyncGenerator<string, BackupCounts> {
  const hash = createHash('sha256')
  const counts = { documents: 0, events: 0 }
  const hashed = (value: object) => {
    const line = `${JSON.stringify(value)}\n`
    hash.update(line)
    return line
  }
  const takenAt = new Date(head.takenAt).toISOString()
  yield hashed({ format: 'feedhouse backup', formatVersion, ...head, takenAt })
  for await (const item of items) {
    counts[isDocument(item) ? 'documents' : 'events'] += 1
    yield hashed(item)
  }
  yield `${JSON.stringify({ end: true, ...counts, sha256: hash.digest('hex') })}\n`
  return counts
}

/**
 * Yields the items in the lines of a backup, and returns a summary once the checksum at the end has
 * been verified. Throws a `StoreError` whose message starts with the name.
 */
export async function* readBackupLines(
  lines: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<StoredItem, BackupHead & BackupCounts> {
  const hash = createHash('sha256')
  const counts = { documents: 0, events: 0 }
  let head: BackupHead | undefined
  let end: z.infer<typeof endSchema> | undefined
  for await (const line of lines) {
    const value = parsedJson(line.toString())
    if (end) throw fault(name, 'is damaged: there is data after its end.')
    if (!head) head = headFrom(value, name)
    else {
      end = endSchema.safeParse(value).data
      if (end) continue
      const item = itemSchema.safeParse(value).data
      if (!item) throw fault(name, 'is damaged: a line is invalid.')
      if (isDocument(item) && item.revision > maxRevision) {
        throw fault(name, `is damaged: the revision ${item.revision} of a document is too high.`)
      }
      counts[isDocument(item) ? 'documents' : 'events'] += 1
      yield item
    }
    hash.update(line).update('\n')
  }
  if (!head) throw fault(name, 'is not a Feedhouse backup: it is empty.')
  if (!end) throw fault(name, 'is incomplete: its end is missing.')
  const { documents, events, sha256 } = end
  const isWhole = documents === counts.documents && events === counts.events
  if (!isWhole || sha256 !== hash.digest('hex')) {
    throw fault(name, 'is damaged: it does not match its checksum.')
  }
  return { ...head, ...counts }
}

const newline = 10

/** Splits bytes into lines, without the line breaks. Rejects with the signal's reason if aborted. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  signal?: AbortSignal,
  maxBytes = maxLineBytes,
): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      size = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > maxBytes) throw fault(name, 'is not a Feedhouse backup: a line is too long.')
  }
  if (size > 0) throw fault(name, 'is cut off within a line.')
}

function headFrom(value: unknown, name: string): BackupHead {
  const written = formatSchema.safeParse(value).data
  if (!written) throw fault(name, 'is not a Feedhouse backup.')
  if (written.formatVersion > formatVersion) {
    const why = `was made by a newer version of Feedhouse (${written.feedhouse})`
    throw fault(name, `${why}; restore it with that version.`)
  }
  const head = headSchema.safeParse(value).data
  if (!head) throw fault(name, 'is damaged: its first line is invalid.')
  return head
}

function fault(name: string, rest: string): StoreError {
  return new StoreError('unusable', `${name} ${rest}`)
}
