import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const fontFamily = 'Source Sans 3'

/** The files of the bundled font. `fonts.conf` lists their folders. */
export const fontFiles = {
  regular: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
  ),
  bold: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf'),
  ),
}

export type FontWidths = {
  /** Returns the sum of the characters' widths in em. Kerning makes drawn text up to 3% narrower. */
  readonly widthOf: (text: string, isBold: boolean) => number
  readonly hasCharacter: (character: string) => boolean
}

let widths: FontWidths | undefined

/** Reads the widths of the bundled font, which takes four milliseconds. */
export function fontWidths(): FontWidths {
  widths ??= readWidths()
  return widths
}

function readWidths(): FontWidths {
  const regular = widthsIn(readFileSync(fontFiles.regular))
  const bold = widthsIn(readFileSync(fontFiles.bold))
  return {
    widthOf(text, isBold) {
      const weight = isBold ? bold : regular
      let width = 0
      for (const character of text) width += weight.get(character.codePointAt(0) ?? 0) ?? 0
      return width
    },
    hasCharacter: (character) => regular.has(character.codePointAt(0) ?? 0),
  }
}

const fullUnicode = 12

/** Returns widths in em by code point (OpenType 1.9.1: `cmap` format 12, `head`, `hhea`, `hmtx`). */
function widthsIn(font: Buffer): ReadonlyMap<number, number> {
  const tables = new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
      const record = 12 + index * 16
      const name = font.toString('latin1', record, record + 4)
      return [name, font.subarray(font.readUInt32BE(record + 8))] as const
    }),
  )
  const table = (name: string) => tables.get(name) ?? Buffer.alloc(0)
  const [cmap, hmtx] = [table('cmap'), table('hmtx')]
  const unitsPerEm = table('head').readUInt16BE(18)
  const metrics = table('hhea').readUInt16BE(34)
  const widths = new Map<number, number>()
  const starts = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.readUInt32BE(8 + index * 8),
  )
  const start = starts.find((each) => cmap.readUInt16BE(each) === fullUnicode)
  if (start === undefined) throw new Error('the font has no table of all characters')
  for (let group = 0; group < cmap.readUInt32BE(start + 12); group += 1) {
    const at = start + 16 + group * 12
    const [first, last, glyph] = [0, 4, 8].map((offset) => cmap.readUInt32BE(at + offset)) as [
      number,
      number,
      number,
    ]
    for (let code = first; code <= last; code += 1) {
      const metric = Math.min(glyph + code - first, metrics - 1)
      widths.set(code, hmtx.readUInt16BE(metric * 4) / unitsPerEm)
    }
  }
  return widths
}
