import { setImmediate } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Number of values to serialize before yielding to the event loop. */
const sliceSize = 500

/** Raw items in compressed form, which takes a tenth of the memory. Each part is a JSON array. */
export type PackedItems = readonly Uint8Array[]

export async function packItems(items: readonly unknown[]): Promise<PackedItems> {
  const slices = await slicesOf(items)
  // Copied, because zlib returns part of a 64 KiB buffer, which would stay in memory.
  return slices.map((slice) => new Uint8Array(deflateRawSync(`[${slice}]`, { level: 1 })))
}

export async function unpackItems(packed: PackedItems): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (const part of packed) {
    if (items.length > 0) await setImmediate()
    items.push(...(JSON.parse(inflateRawSync(part).toString()) as unknown[]))
  }
  return items
}

/** Serializes in slices, so that requests are served in between. */
export async function jsonOf(values: readonly unknown[]): Promise<string> {
  return `[${(await slicesOf(values)).join(',')}]`
}

async function slicesOf(values: readonly unknown[]): Promise<readonly string[]> {
  const slices: string[] = []
  for (let start = 0; start < values.length; start += sliceSize) {
    if (start > 0) await setImmediate()
    slices.push(JSON.stringify(values.slice(start, start + sliceSize)).slice(1, -1))
  }
  return slices
}
