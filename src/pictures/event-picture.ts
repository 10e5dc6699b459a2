import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { canvas, paragraph } from './icon-drawing.ts'
import { requireImage, type Sharp } from './image-library.ts'
import type { Size } from './indexed-picture.ts'

/** Texts use only characters of the font. Colors are hex digits with "#". */
export type EventPicture = Size & {
  readonly title: string
  readonly when: string
  readonly where: string
  readonly name: string
  readonly color: string
  readonly onColor: string
  /** PNG with a background. */
  readonly icon: Buffer | undefined
  /** SVG of a QR code, or an empty string. */
  readonly code: string
}

const iconSize = 112
const codeSize = 320
const [margin, gap] = [72, 32]

const maxCached = 100

/** Drawn pictures by content, for all sites in the process. */
const pictures = new LRUCache<string, Promise<Buffer>>({ max: maxCached })

/**
 * Draws an event as a PNG for a client on this network, only once for the same content. Rejects with
 * `NoImage`, or if drawing fails.
 */
export function eventPicture(content: EventPicture, network?: string): Promise<Buffer> {
  const { icon, ...texts } = content
  const hash = createHash('sha256').update(JSON.stringify(texts))
  const key = hash.update(icon ?? '').digest('base64url')
  const known = pictures.get(key) ?? requireImage((sharp) => draw(sharp, content), network)
  pictures.set(key, known)
  known.catch(() => pictures.delete(key))
  return known
}

async function draw(sharp: Sharp, content: EventPicture): Promise<Buffer> {
  const { width, height, icon, code, color, onColor } = content
  const room = width - 2 * margin
  const text = async (words: string, size: number, most: Size) =>
    words === '' ? undefined : paragraph(sharp, words, onColor, size, most)
  const beside = icon ? iconSize + gap : 0
  const name = await text(content.name, 44, { width: room - beside, height: iconSize })
  const when = await text(content.when, 52, { width: room, height: 70 })
  const below = { width: room - (code === '' ? 0 : codeSize + gap), height: 140 }
  const where = await text(content.where, 44, below)
  const bottom = code === '' ? (where?.height ?? 0) : codeSize
  const top = margin + iconSize + gap
  const left = height - top - (when?.height ?? 0) - bottom - margin - 2 * gap
  const title = await text(content.title, 104, { width: room, height: left })
  const codeTile =
    code && (await sharp(Buffer.from(code)).resize(codeSize, codeSize).png().toBuffer())
  return (
    canvas(sharp, width, height, color)
      .composite([
        ...(icon
          ? [
              {
                input: await sharp(icon).resize(iconSize).png().toBuffer(),
                left: margin,
                top: margin,
              },
            ]
          : []),
        ...(name
          ? [
              {
                ...name,
                left: margin + beside,
                top: margin + Math.round((iconSize - name.height) / 2),
              },
            ]
          : []),
        ...(when ? [{ ...when, left: margin, top }] : []),
        ...(title ? [{ ...title, left: margin, top: top + (when?.height ?? 0) + gap }] : []),
        ...(where ? [{ ...where, left: margin, top: height - margin - where.height }] : []),
        ...(codeTile
          ? [{ input: codeTile, left: width - margin - codeSize, top: height - margin - codeSize }]
          : []),
      ])
      .removeAlpha()
      // No palette, because finding one takes three times as long as everything else.
      .png()
      .toBuffer()
  )
}
