/*
 * What takes long to parse is counted in the bytes of JSON before they are parsed. Both counts include
 * what is inside strings, and end above the maximum, because a body may consist of nothing else.
 */

/** Bytes that start an object or a list in JSON. */
const startBytes = Buffer.from('{[')

const [quote = 0, colon = 0, space = 0] = Buffer.from('": ')

/** Returns the number of objects and lists that start in a part of JSON. Faster than a loop. */
export function countStarts({ buffer, byteOffset, length }: Uint8Array, max: number): number {
  const bytes = Buffer.from(buffer, byteOffset, length)
  let count = 0
  for (const start of startBytes) {
    for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
      count += 1
      if (count > max) return count
    }
  }
  return count
}

/**
 * Returns the number of properties in JSON, also in UTF-16. Many different names take a hundred times
 * as long to parse as text of this length.
 */
export function countProperties(bytes: Uint8Array, max: number): number {
  let count = 0
  let before = 0
  for (const byte of bytes) {
    if (byte === colon && before === quote) count += 1
    if (count > max) return count
    if (byte > space) before = byte
  }
  return count
}
