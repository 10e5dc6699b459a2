/*
 * These count the parts of JSON that are slow to parse, before it is parsed. The counts include text
 * inside strings, and end above the maximum, because a body may consist of nothing else.
 */

/** Bytes that start an object or a list in JSON. */
const startBytes = Buffer.from('{[')

const [colon = 0, comma = 0] = Buffer.from(':,')

/** A value in a list or object takes at most a quarter of the time of a property with a new name. */
const valuesPerProperty = 4

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
 * Returns true if JSON in any charset may have more properties than `max`, or more than four times as
 * many values. Many different names or short strings are a hundred times slower to parse than other
 * text of the same length.
 */
export function hasManyProperties(bytes: Uint8Array, max: number): boolean {
  let [colons, commas] = [0, 0]
  for (const byte of bytes) {
    if (byte === colon) colons += 1
    else if (byte === comma) commas += 1
  }
  return colons > max || commas > max * valuesPerProperty
}
