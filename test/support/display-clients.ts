/*
 * What the programs in displays do with a response, from their public sources: TRMNL's firmware
 * (`lib/trmnl/src/bmp.cpp`), the Inkplate Arduino library (`Image.cpp`,
 * `ImageBMP.cpp`) and ESPHome (`online_image/bmp_image.cpp`).
 */

export type DisplayResponse = {
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Black pixels by row. */
export type Pixels = readonly (readonly boolean[])[]

const maxTrmnlBytes = 90_000

/** Returns why TRMNL's firmware would not show a response with a quick refresh, or undefined. */
export function trmnlFault({ headers, body }: DisplayResponse): string | undefined {
  const type = headers['content-type']
  if (type !== 'image/png' && type !== 'image/jpeg' && type !== 'image/bmp')
    return `type ${String(type)}`
  if (body.length > maxTrmnlBytes) return `${body.length} bytes`
  if (Number(headers['content-length']) !== body.length) return 'no length'
  if (body.toString('latin1', 0, 2) === 'BM') return trmnlBmpFault(body)
  const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)]
  const [depth, colorType, , , interlace] = body.subarray(24, 29)
  if (width !== 800 || height !== 480) return `${width} x ${height} pixels`
  if (depth !== 1) return `${depth} bits`
  return colorType === 0 && interlace === 0 ? undefined : 'color type or interlace'
}

function trmnlBmpFault(body: Buffer): string | undefined {
  const fields = {
    offset: body.readUInt32LE(10),
    width: body.readInt32LE(18),
    height: Math.abs(body.readInt32LE(22)),
    bits: body.readUInt16LE(28),
    compression: body.readUInt32LE(30),
    bytes: body.readUInt32LE(34),
    colors: body.readUInt32LE(46),
  }
  const expected = {
    offset: 62,
    width: 800,
    height: 480,
    bits: 1,
    compression: 0,
    bytes: 48_000,
    colors: 2,
  }
  const isExpected = JSON.stringify(fields) === JSON.stringify(expected)
  return isExpected ? undefined : JSON.stringify(fields)
}

/** Returns the black pixels that an Inkplate in its 1-bit mode draws from a BMP. */
export function inkplatePixels({ url, headers, body }: DisplayResponse): Pixels {
  // It takes the format from the last dot, after which there may be four characters.
  const ending = url.slice(url.lastIndexOf('.') + 1)
  if (ending.length > 4 || ending !== 'bmp') throw new Error(`unknown format ${ending}`)
  // Without a length, it reserves more memory than it has.
  if (Number(headers['content-length']) !== body.length) throw new Error('no length')
  if (body.readUInt16LE(0) !== 0x4d42) throw new Error('not a BMP')
  const [start, width, height] = [10, 18, 22].map((at) => body.readUInt32LE(at)) as [
    number,
    number,
    number,
  ]
  if (body.readUInt16LE(28) !== 1) throw new Error('not 1 bit')
  // Each color becomes three bits of brightness, two colors to a byte. The byte is compared with the
  // next one, so the first color is black unless both are.
  const brightness = [0, 1].map((index) => {
    const [blue = 0, green = 0, red = 0] = body.subarray(54 + index * 4)
    return (red * 54 + green * 183 + blue * 19) >> 13
  }) as [number, number]
  const isFirstBlack = ((brightness[0] << 4) | brightness[1]) > 0
  const rowSize = Math.floor((width + 31) / 32) * 4
  const rows = Array.from({ length: height }, (_, row) => {
    const at = start + row * rowSize
    return Array.from({ length: width }, (__, x) => {
      const bit = ((body[at + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      return isFirstBlack !== (bit === 1)
    })
  })
  return rows.toReversed()
}

/** Returns the black pixels that ESPHome draws from a 1-bit BMP whose rows need no padding. */
export function esphomePixels({ body }: DisplayResponse): Pixels {
  if (body.toString('latin1', 0, 2) !== 'BM') throw new Error('not a BMP')
  const offset = body.readUInt32LE(10)
  const [width, height] = [body.readUInt32LE(18), body.readUInt32LE(22)]
  if (body.readUInt16LE(28) !== 1 || body.readUInt32LE(30) !== 0) throw new Error('not supported')
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => false))
  let painted = 0
  for (const byte of body.subarray(offset)) {
    for (let bit = 0; bit < 8; bit += 1) {
      const y = height - 1 - Math.floor(painted / width)
      const row = rows[y]
      // It ignores the palette. A bit of 1 is on, which is white on paper.
      if (row) row[(painted % width) + bit] = (byte & (1 << (7 - bit))) === 0
    }
    painted += 8
  }
  return rows
}
