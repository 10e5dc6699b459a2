import { setImmediate } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Yield to the event loop after serializing this many values, or this many characters. */
const sliceSize = 500
const sliceLength = 256 * 1024

/** Raw items in compressed form, which takes a tenth of the memory. Each part is a JSON array. */
export type PackedItems = readonly Uint8Array[]

export async function packItems(items: readonly unknown[]): Promise<PackedItems> {
  const packed: Uint8Array[] = []
  for await (const slice of slicesOf(items)) {
    // Copied, because zlib returns part of a 64 KiB buffer, which would stay in memory.
    packed.push(new Uint8Array(deflateRawSync(`[${slice}]`, { level: 1 })))
  }
  return packed
}

export async function unpackItems(packed: PackedItems): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (const part of packed) {
    if (items.length > 0) await setImmediate()
    items.push(...(JSON.parse(inflateRawSync(part).toString()) as unknown[]))
  }
  return items
}

export async function jsonOf(values: readonly unknown[]): Promise<string> {
  const slices: string[] = []
  for await (const slice of slicesOf(values)) slices.push(slice)
  return `[${slices.join(',')}]`
}

/** Serializes in slices, so that requests are served in between. */
async function* slicesOf(values: readonly unknown[]) {
  let slice: string[] = []
  let length = 0
  for (const value of values) {
    if (slice.length === sliceSize || length >= sliceLength) {
      yield slice.join()
      await setImmediate()
      slice = []
      length = 0
    }
    const text = JSON.stringify(value)
    slice.push(text)
    length += text.length
  }
  if (slice.length > 0) yield slice.join()
}
