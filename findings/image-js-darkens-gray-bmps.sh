#!/usr/bin/env bash
# For each pixel, a BMP with eight bits per pixel contains the index of its color in a palette. image-js
# 1.7.0 (npm), and fast-bmp 4.0.1, which it uses, treat the index as the brightness. In a picture with 16
# grays, as for electronic paper, white is 15 and everything looks black, and a picture with colors becomes
# gray. With one bit per pixel, only the order of black and white matters. A publisher should use 256
# grays, so that index and brightness are the same, or PNG.
#
# Output, for black, gray, white and red:
#   BMP with 16 colors: 0, 8, 15, 1
#   BMP with 256 grays: 0, 136, 255, 76
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . image-js@1.7.0 fast-bmp@4.0.1 >/dev/null

cat >read.mjs <<'JS'
import { decode } from 'image-js'
const bmpOf = (palette, pixels) => {
  const start = 54 + palette.length * 4
  const file = Buffer.alloc(start + pixels.length)
  file.write('BM', 'latin1')
  for (const [at, value] of [
    [2, file.length],
    [10, start],
    [14, 40],
    [18, pixels.length],
    [22, 1],
    [34, pixels.length],
    [46, palette.length],
  ])
    file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(8, 28)
  palette.forEach(([red, green, blue], index) => file.set([blue, green, red], 54 + index * 4))
  file.set(pixels, start)
  return file
}
const grayOf = (value) => [value, value, value]
const few = Array.from({ length: 16 }, (_, index) => (index === 1 ? [255, 0, 0] : grayOf(index * 17)))
const all = Array.from({ length: 256 }, (_, index) => grayOf(index))
for (const [name, palette, pixels] of [
  ['16 colors', few, [0, 8, 15, 1]],
  ['256 grays', all, [0, 136, 255, 76]],
]) {
  const picture = decode(bmpOf(palette, pixels))
  console.log(`BMP with ${name}: ${pixels.map((_, x) => picture.getPixel(x, 0).join(' ')).join(', ')}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
BMP with 16 colors: 0, 8, 15, 1
BMP with 256 grays: 0, 136, 255, 76
OUTPUT
