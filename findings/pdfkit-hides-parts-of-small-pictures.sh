#!/usr/bin/env bash
# A PNG with up to 16 colors may have one, two or four bits per pixel (PNG 3, 11.2.1). Optimizers write
# logos like this, including those with transparent colors. pdfkit 0.20.2 (npm), which programs use to
# create printed calendars, reads the transparency of such a picture with png-js, which treats each byte
# as one pixel. So parts of the logo are invisible in the PDF, and parts that should be transparent are
# not. The same picture with eight bits per pixel is correct.
#
# Output, with the visible pixels of the same picture of 8 by 2 pixels in a PDF:
#   8 bits per pixel: #.#....# #.#....#
#   4 bits per pixel: ..##..## ........
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . pdfkit@0.20.2 png-js@2.0.0 >/dev/null

cat >run.cjs <<'JS'
const { inflateSync } = require('node:zlib')
const PDFDocument = require('pdfkit')
const pictures = {
  8: 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAACCAMAAABSSm3fAAAABlBMVEUAAAD///+l2Z/dAAAAAnRSTlP/AOW3MEoAAAATSURBVHicY2BgZGBkZGRkYIAxAABpAAvyrhrvAAAAAElFTkSuQmCC',
  4: 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAACBAMAAACXuoDeAAAABlBMVEUAAAD///+l2Z/dAAAAAnRSTlP/AOW3MEoAAAAPSURBVHicY2BkFBRgABEAASsAR+B9Bz8AAAAASUVORK5CYII=',
}
const pdfOf = (picture) =>
  new Promise((resolve) => {
    const document = new PDFDocument({ compress: false })
    const chunks = []
    document.on('data', (chunk) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')))
    document.image(Buffer.from(picture, 'base64'), 0, 0)
    document.end()
  })
const run = async () => {
  for (const bits of [8, 4]) {
    const pdf = await pdfOf(pictures[bits])
    const [, mask] = /\/DeviceGray[^]*?stream\r?\n([^]*?)\r?\nendstream/.exec(pdf)
    const pixels = Array.from(inflateSync(Buffer.from(mask, 'latin1')), (alpha) => (alpha > 0 ? '#' : '.'))
    console.log(`${bits} bits per pixel: ${pixels.join('').match(/.{8}/g).join(' ')}`)
  }
}
run()
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
8 bits per pixel: #.#....# #.#....#
4 bits per pixel: ..##..## ........
OUTPUT
