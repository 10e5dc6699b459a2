import { TextDecoder } from 'node:util'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes a body in the charset that its Content-Type declares, or in UTF-8. Bytes that are not
 * UTF-8 are read as Windows-1252, because websites mix both.
 */
export function decodedBody(bytes: Uint8Array, contentType: string): string {
  const declared = decoderFor(/\bcharset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1])
  if (declared && declared.encoding !== 'utf-8') return declared.decode(bytes)
  try {
    return utf8.decode(bytes)
  } catch {
    return mixed(bytes)
  }
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label)
  } catch {
    // The label is unknown.
    return undefined
  }
}

/** Windows-1252 characters from 0x80 on, in UTF-8. */
const windows1252 = Array.from({ length: 0x80 }, (_, index) => [
  ...Buffer.from(new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + index))),
])
const maxCharacterBytes = 3

function mixed(bytes: Uint8Array): string {
  const all = Buffer.alloc(bytes.length * maxCharacterBytes)
  let written = 0
  /** Start of the UTF-8 before the current byte. */
  let start = 0
  const copyTo = (end: number) => {
    if (end > start) all.set(bytes.subarray(start, end), written)
    written += end - start
  }
  for (let at = 0; at < bytes.length;) {
    const length = lengthOfCharacter(bytes, at)
    if (length === 0) {
      copyTo(at)
      for (const byte of windows1252[byteAt(bytes, at) - 0x80] ?? []) all[written++] = byte
      start = at + 1
    }
    at += Math.max(1, length)
  }
  copyTo(bytes.length)
  return utf8.decode(all.subarray(0, written))
}

/** Returns the length of the UTF-8 character at an index, or 0 if there is none (RFC 3629, 4). */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const first = byteAt(bytes, at)
  if (first < 0x80) return 1
  const [min = 0x80, max = 0xbf] = secondBytes[first] ?? []
  const second = byteAt(bytes, at + 1)
  if (first < 0xc2 || first > 0xf4 || second < min || second > max) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const rest = [at + 2, at + 3].slice(0, length - 2)
  return rest.every((index) => byteAt(bytes, index) >> 6 === 0b10) ? length : 0
}

/** Second bytes that are allowed after some first bytes. */
const secondBytes: Readonly<Record<number, readonly [min: number, max: number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}
