#!/usr/bin/env bash
# In a BMP with one bit per pixel, as for e-paper, each bit is an index into the palette ([MS-WMF],
# 2.1.1.3). bmp-ts 1.0.9 (npm), which Jimp uses to read BMP, has an option toRGBA for the byte order of
# canvas and pngjs. With this option, it zeroes bytes of neighboring pixels, and white turns yellow,
# magenta and cyan. Jimp does not use the option. With 24 bits per pixel, white stays white.
#
# Output, red, green and blue of each pixel in a white row:
#   1 bit: ffffff ffffff ffffff ffffff ffffff ffffff ffffff ffffff
#   1 bit, toRGBA: ffffff ffff00 ff00ff 00ffff ffff00 ff00ff ffffff ffffff
#   24 bits, toRGBA: ffffff ffffff ffffff ffffff ffffff ffffff ffffff ffffff
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . bmp-ts@1.0.9 >/dev/null

cat >read.cjs <<'JS'
const { decode } = require('bmp-ts')
function whiteRow(depth) {
  const palette = Buffer.from(depth === 1 ? '00000000ffffff00' : '', 'hex')
  const row = depth === 1 ? Buffer.from([0xff, 0, 0, 0]) : Buffer.alloc(24, 0xff)
  const header = Buffer.alloc(54)
  header.write('BM')
  header.writeUInt32LE(header.length + palette.length + row.length, 2)
  header.writeUInt32LE(header.length + palette.length, 10)
  header.writeUInt32LE(40, 14) // the size of this part of the header
  header.writeInt32LE(8, 18) // width
  header.writeInt32LE(1, 22) // height
  header.writeUInt16LE(1, 26) // planes
  header.writeUInt16LE(depth, 28)
  header.writeUInt32LE(row.length, 34)
  header.writeUInt32LE(palette.length / 4, 46) // colors
  return Buffer.concat([header, palette, row])
}
for (const [depth, toRGBA] of [[1, false], [1, true], [24, true]]) {
  const { data } = decode(whiteRow(depth), { toRGBA })
  const pixels = Array.from({ length: 8 }, (_, index) => data.subarray(index * 4, index * 4 + 4))
  const colors = pixels.map((pixel) => (toRGBA ? pixel.subarray(0, 3) : pixel.subarray(1)).toString('hex'))
  console.log(`${depth} bit${depth > 1 ? 's' : ''}${toRGBA ? ', toRGBA' : ''}: ${colors.join(' ')}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
1 bit: ffffff ffffff ffffff ffffff ffffff ffffff ffffff ffffff
1 bit, toRGBA: ffffff ffff00 ff00ff 00ffff ffff00 ff00ff ffffff ffffff
24 bits, toRGBA: ffffff ffffff ffffff ffffff ffffff ffffff ffffff ffffff
OUTPUT
