#!/usr/bin/env bash
# In a PNG with less than eight bits per pixel, each row starts in a new byte (PNG 3, 7.2). upng-js 2.1.0
# (npm) decodes gray pictures as if all rows were one sequence of bits. Unless the width is a multiple of
# 8, the unused bits at the end of each row become pixels, and a picture for e-paper with 122 by 250
# pixels is skewed. A palette of black and white costs 18 bytes more and avoids this.
#
# Output, for a vertical line in a picture of 10 by 3 pixels:
#   upng-js, gray: .#........ ######.#.. ......####
#   upng-js, palette: .#........ .#........ .#........
#   pngjs, gray: .#........ .#........ .#........
#   pngjs, palette: .#........ .#........ .#........
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . upng-js@2.1.0 pngjs@7.0.0 >/dev/null

cat >read.cjs <<'JS'
const pictures = {
  gray: 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAADAQAAAACCRqPYAAAADUlEQVR4nGPYf4ABjAAUOgR+2Fd+cgAAAABJRU5ErkJggg==',
  palette:
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAADAQMAAACQ8ww2AAAABlBMVEUAAAD///+l2Z/dAAAADUlEQVR4nGPYf4ABjAAUOgR+2Fd+cgAAAABJRU5ErkJggg==',
}
const UPNG = require('upng-js')
const { PNG } = require('pngjs')
const decoders = {
  'upng-js': (png) => new Uint8Array(UPNG.toRGBA8(UPNG.decode(png))[0]),
  pngjs: (png) => PNG.sync.read(png).data,
}
for (const [name, decode] of Object.entries(decoders))
  for (const [kind, picture] of Object.entries(pictures)) {
    const samples = decode(Buffer.from(picture, 'base64'))
    const pixels = Array.from({ length: 30 }, (_, index) => (samples[index * 4] === 0 ? '#' : '.'))
    console.log(`${name}, ${kind}: ${pixels.join('').match(/.{10}/g).join(' ')}`)
  }
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
upng-js, gray: .#........ ######.#.. ......####
upng-js, palette: .#........ .#........ .#........
pngjs, gray: .#........ .#........ .#........
pngjs, palette: .#........ .#........ .#........
OUTPUT
