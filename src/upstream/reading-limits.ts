import { getHeapStatistics } from 'node:v8'
import { sizeOf } from '../records/known-part.ts'
import type { Page } from './envelope.ts'
import { UpstreamError } from './upstream-error.ts'

/** Limit for the total size of a collection's pages. */
export const maxReadingBytes = 32 * 1024 * 1024
/** Limit for records and the objects inside them, since many small objects use the most memory. */
const maxReadingThings = 200_000
/** Limit for the text in a website's collections together. */
const mostTextBytes = 64 * 1024 * 1024
/**
 * The limit is lower if it is a larger share of the memory for JavaScript. Each text is in memory
 * several times: in records, searches and feeds, in the records that replace them, and while it is read.
 */
const textShare = 1 / 16

/** Returns the limit for the text in a website's collections together, given the size of the heap. */
export function maxTextBytes(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.min(mostTextBytes, Math.floor(heapBytes * textShare))
}

/** Bytes of text in each of a website's collections at its last reading, by name. */
export type CollectionSizes = Map<string, number>

const nothing = { bytes: 0, things: 0, textBytes: 0 }

/** Adds up the pages of a collection while it is read. */
export function createReadingLimits(endpoint: string, collection: string, sizes: CollectionSizes) {
  const bytesBefore = sizes.get(collection) ?? 0
  let read = nothing

  function bytesOfOthers(): number {
    const others = [...sizes].filter(([name]) => name !== collection)
    return others.reduce((sum, [, bytes]) => sum + bytes, 0)
  }

  function fault(): string | undefined {
    if (read.bytes > maxReadingBytes) {
      return `all pages together are larger than ${mebibytes(maxReadingBytes)}`
    }
    if (read.things > maxReadingThings) {
      return `all pages together have more than ${maxReadingThings} records and nested objects`
    }
    return read.textBytes + bytesOfOthers() > maxTextBytes()
      ? `all collections together have more than ${mebibytes(maxTextBytes())} of text`
      : undefined
  }

  return {
    /** Called when the pages are read from the first one again. */
    restart(): void {
      read = nothing
    },
    /** Throws an `UpstreamError` once a limit is exceeded. */
    add({ items }: Page, bytes: number): void {
      const { things, textBytes } = sizeOf(items)
      read = {
        bytes: read.bytes + bytes,
        things: read.things + things,
        textBytes: read.textBytes + textBytes,
      }
      // Other collections may be read at the same time.
      sizes.set(collection, Math.max(bytesBefore, read.textBytes))
      const exceeded = fault()
      if (exceeded) throw new UpstreamError('collection_too_large', `${endpoint}: ${exceeded}`)
    },
    end({ isRead }: { readonly isRead: boolean }): void {
      sizes.set(collection, isRead ? read.textBytes : bytesBefore)
    },
  }
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
