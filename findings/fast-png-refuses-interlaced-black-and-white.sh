#!/usr/bin/env bash
# A PNG with less than eight bits per pixel may be interlaced: it consists of seven smaller pictures, so
# that it appears gradually (PNG Third Edition, 8.1 and 11.2.1). fast-png 8.0.0 (npm), which image-js uses
# to read pictures, calculates the length of their rows as if each pixel were a byte, and then throws an
# error about a filter. So interlaced black-and-white logos and pictures for e-paper can't be read.
# Pictures without interlacing, or with eight bits per pixel, can.
#
# Output, for a diagonal line in a picture of 8 by 8 gray pixels:
#   1 bit: read
#   1 bit, interlaced: Unsupported filter: 16
#   4 bits: read
#   4 bits, interlaced: Unsupported filter: undefined
#   8 bits, interlaced: read
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fast-png@8.0.0 >/dev/null

cat >read.mjs <<'JS'
import { decode } from 'fast-png'
const header = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAI'
const pictures = {
  '1 bit': 'AQAAAADsdIMmAAAAGElEQVR4nGNoYHBgUGAQYOBgYGFgYmAEAA0TAQCT4/AaAAAAAElFTkSuQmCC',
  '1 bit, interlaced': 'AQAAAAGbc7OwAAAAGklEQVR4nGNoYGBgcGBgAJMCDDAAYrMwMAIAHMsBZrU2bxkAAAAASUVORK5CYII=',
  '4 bits': 'BAAAAAAklAxWAAAAE0lEQVR4nGP4wMDAwMAPIhjwMQFYogP9RVwEMwAAAABJRU5ErkJggg==',
  '4 bits, interlaced': 'BAAAAAFTkzzAAAAAF0lEQVR4nGP4wMDAwM/AACUhLBjgxyQBNTcBWm5/vEIAAAAASUVORK5CYII=',
  '8 bits, interlaced': 'CAAAAAGWY9HBAAAAGElEQVR4nGP4z8DAwAAmkBhwPir4T5AJAFUIB/nvOXcJAAAAAElFTkSuQmCC',
}
for (const [name, picture] of Object.entries(pictures))
  try {
    decode(Buffer.from(header + picture, 'base64'))
    console.log(`${name}: read`)
  } catch (error) {
    console.log(`${name}: ${error.message}`)
  }
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
1 bit: read
1 bit, interlaced: Unsupported filter: 16
4 bits: read
4 bits, interlaced: Unsupported filter: undefined
8 bits, interlaced: read
OUTPUT
