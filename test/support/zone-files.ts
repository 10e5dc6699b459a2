import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ZoneData } from '../../src/zone-data/zone-data.ts'

/** Zone data of a machine whose rules are the same as Feedhouse's. */
export const zoneData: ZoneData = {
  release: '2026c',
  systemRelease: '2026c',
  newer: undefined,
  isUnreadable: false,
  difference: undefined,
}

type Change = { readonly at: string; readonly offset: number }

/** Returns a TZif file (RFC 9636) with changes to offsets in minutes, and a TZ string for later times. */
export function tzifOf(changes: readonly Change[], footer: string, firstOffset = 0): Buffer {
  const offsets = [firstOffset, ...changes.map(({ offset }) => offset)]
  const times = changes.map(({ at }) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(BigInt(Date.parse(at) / 1000))
    return bytes
  })
  return Buffer.concat([
    headerOf(0, 1),
    typeOf(0),
    Buffer.from('UTC\0'),
    headerOf(changes.length, offsets.length),
    ...times,
    Buffer.from(changes.map((_, index) => index + 1)),
    ...offsets.map(typeOf),
    Buffer.from(`LMT\0\n${footer}\n`),
  ])
}

function headerOf(times: number, types: number): Buffer {
  const bytes = Buffer.alloc(44)
  bytes.write('TZif2')
  bytes.writeUInt32BE(times, 32)
  bytes.writeUInt32BE(types, 36)
  bytes.writeUInt32BE(4, 40)
  return bytes
}

function typeOf(offset: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeInt32BE(offset * 60)
  return bytes
}

/** Writes zone data like an operating system's. */
export function writeZoneData(
  directory: string,
  {
    release,
    zones,
  }: { readonly release: string; readonly zones: Readonly<Record<string, Buffer>> },
): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'tzdata.zi'), `# version ${release}\n# This zic input file\n`)
  for (const [name, bytes] of Object.entries(zones)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), bytes)
  }
}
