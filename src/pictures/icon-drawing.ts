import { fontFamily, fontFiles } from './font.ts'
import { makeImage, openPicture, type Sharp } from './image-library.ts'
import { readPictureHeader } from './picture-header.ts'

/** Content of a site's images. Colors are hex digits with "#". */
export type SiteImageContent = {
  readonly initials: string
  readonly name: string
  readonly place: string | undefined
  /** Background of the initials and of link previews. */
  readonly color: string
  readonly onColor: string
  readonly logo: Buffer | undefined
}

export type Icon = {
  readonly size: number
  readonly logoShare: number
  /** True to fill the space around the logo with white. Systems show transparent icons on black. */
  readonly isOpaque: boolean
}

/** Size of link previews, which all messaging apps show as a large picture. */
export const previewSize = { width: 1200, height: 630 }

const largestIcon = 512

/** Longer names are cut off in link previews. */
const maxNameLength = 120

/** Instead of using smaller text, the text is cut off. */
const minTextSize = 10

const fontName = `${fontFamily} Bold`
const fontfile = fontFiles.bold

/** Characters in the font. Containers have no other fonts. */
const drawable = /^[ -~\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}\p{P}\p{Z}]*$/u

/** Returns true for SVG, which is only accepted for logos, because the operator chooses them. */
export function isSvg(file: Buffer): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/.test(
    file.toString('utf8', 0, 4096).replace(/^\uFEFF/, ''),
  )
}

export function isLogo(file: Buffer): boolean {
  return readPictureHeader(file) !== undefined || isSvg(file)
}

export function renderIcon(content: SiteImageContent, icon: Icon): Promise<Buffer | undefined> {
  return makeImage(async (sharp) => (await iconOf(sharp, content, icon)).png().toBuffer())
}

async function iconOf(sharp: Sharp, content: SiteImageContent, icon: Icon) {
  const { size, logoShare, isOpaque } = icon
  const { logo, initials, color, onColor } = content
  const shown = Math.round(size * logoShare)
  if (logo) {
    const drawn = await logoOf(sharp, logo, shown)
    const background = isOpaque ? '#ffffff' : '#00000000'
    return canvas(sharp, size, size, background).composite([{ input: drawn }])
  }
  const tile = canvas(sharp, size, size, color)
  if (initials === '' || !drawable.test(initials)) return tile
  const room = { width: Math.round(shown * 0.76), height: size }
  const { input } = await paragraph(sharp, initials, onColor, Math.round(shown * 0.56), room)
  return tile.composite([{ input }])
}

/** Draws the link preview image as PNG: the icon, the name and the place. */
export function renderPreview(content: SiteImageContent): Promise<Buffer | undefined> {
  const { place = '', color, onColor, logo } = content
  const name = shortened(content.name)
  const { width, height } = previewSize
  const margin = 80
  const tile = { size: 170, logoShare: logo ? 0.8 : 1, isOpaque: true }
  const inverted = { ...content, color: onColor, onColor: color }
  return makeImage(async (sharp) => {
    const corners = Buffer.from(
      `<svg width="${tile.size}" height="${tile.size}"><rect width="100%" height="100%" rx="40"/></svg>`,
    )
    const icon = await (await iconOf(sharp, inverted, tile)).png().toBuffer()
    const rounded = await sharp(icon)
      .composite([{ input: corners, blend: 'dest-in' }])
      .png()
      .toBuffer()
    const room = { width: width - 2 * margin, height: 190 }
    const title = drawable.test(name) ? await paragraph(sharp, name, onColor, 82, room) : undefined
    const below =
      place !== '' && drawable.test(place)
        ? await paragraph(sharp, place, onColor, 42, { ...room, height: 60 })
        : undefined
    const bottom = height - margin - (below ? below.height + 28 : 0)
    return canvas(sharp, width, height, color)
      .composite([
        { input: rounded, left: margin, top: margin },
        ...(title ? [{ ...title, left: margin, top: bottom - title.height }] : []),
        ...(below ? [{ ...below, left: margin, top: height - margin - below.height }] : []),
      ])
      .png({ palette: true })
      .toBuffer()
  })
}

/** Returns a picture at the largest icon size. Resolves to undefined if it is not a picture. */
export async function resizedLogo(picture: Buffer): Promise<Buffer | undefined> {
  if (readPictureHeader(picture) === undefined) return undefined
  return makeImage((sharp) => logoOf(sharp, picture, largestIcon))
}

/** Scales a logo of any shape to fit a square. */
async function logoOf(sharp: Sharp, logo: Buffer, size: number): Promise<Buffer> {
  const { image } = await openPicture(sharp, logo, isSvg(logo) ? 300 : 72)
  return image.resize({ width: size, height: size, fit: 'inside' }).png().toBuffer()
}

export function canvas(sharp: Sharp, width: number, height: number, background: string) {
  return sharp({ create: { width, height, channels: 4, background } })
}

function shortened(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength).trimEnd()}…` : name
}

/** Draws text in a font size in pixels, or smaller if necessary to fit. */
export async function paragraph(
  sharp: Sharp,
  words: string,
  color: string,
  size: number,
  room: { readonly width: number; readonly height: number },
): Promise<{ readonly input: Buffer; readonly height: number }> {
  for (let shown = size; ; shown = Math.round(shown * 0.85)) {
    const { data, info } = await sharp({
      text: {
        ...textIn(color, words, shown),
        width: room.width,
        wrap: 'word-char',
        spacing: -Math.round(shown * 0.18),
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true })
    const fits = info.height <= room.height && info.width <= room.width
    if (fits || shown < minTextSize) return { input: data, height: info.height }
  }
}

function textIn(color: string, words: string, size: number) {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const text = `<span foreground="${color}">${escaped}</span>`
  return { text, font: `${fontName} ${size}`, fontfile, dpi: 72, rgba: true }
}
