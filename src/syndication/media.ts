import type { RecordOf } from '../records/read-records.ts'
import { oneLine } from '../records/plain-text.ts'
import { absoluteUrl, escapeHtml, linkHtml } from './html.ts'

/** A file attached to an item. Its URL is absolute and uses https. */
export type Media = {
  readonly url: string
  readonly type: string
  readonly title: string
  /** Size in bytes. */
  readonly fileSize: number | undefined
}

export type Picture = Omit<Media, 'type'> & {
  /** Undefined if the file name does not show the type. */
  readonly type: string | undefined
  readonly width: number | undefined
  readonly height: number | undefined
}

/** Maximum length of an embed code, or of HTML that contains one. */
const maxCodeLength = 200_000

/** Maximum number of pictures per story, and likewise of videos, files, and links. */
const maxMedia = 100

const pictureTypes = new Map(
  Object.entries({
    avif: 'image/avif',
    gif: 'image/gif',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    png: 'image/png',
    webp: 'image/webp',
  }),
)

const fileTypes = new Map([
  ...pictureTypes,
  ...Object.entries({
    csv: 'text/csv',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    pdf: 'application/pdf',
    txt: 'text/plain',
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    zip: 'application/zip',
  }),
])

/** Returns a story's pictures, starting with the front picture. */
export function picturesOf({ images }: RecordOf['news'], siteUrl: string): readonly Picture[] {
  return images
    .slice(0, maxMedia)
    .toSorted((a, b) => Number(b.front) - Number(a.front))
    .flatMap(({ url, caption, width, height, fileSize }) => {
      const address = addressOf(url, siteUrl)
      if (!address) return []
      return [
        {
          url: address,
          type: pictureTypes.get(endingOf(address)),
          title: oneLine(caption),
          fileSize: amount(fileSize),
          width: amount(width),
          height: amount(height),
        },
      ]
    })
}

export function attachmentsOf(
  { attachments }: RecordOf['news'],
  siteUrl: string,
): readonly Media[] {
  return attachments.slice(0, maxMedia).flatMap(({ url, fileName, extension, fileSize }) => {
    const address = addressOf(url, siteUrl)
    if (!address) return []
    const endings = [extension.toLowerCase(), endingOf(fileName), endingOf(address)]
    const known = endings.find((ending) => fileTypes.has(ending)) ?? ''
    return [
      {
        url: address,
        type: fileTypes.get(known) ?? 'application/octet-stream',
        title: oneLine(fileName) || 'File',
        fileSize: amount(fileSize),
      },
    ]
  })
}

/**
 * Returns pictures and files of known types, the most important first, because some readers use
 * only one.
 */
export function enclosuresOf(
  pictures: readonly Picture[],
  attachments: readonly Media[],
): readonly Media[] {
  return [...pictures, ...attachments].flatMap(({ url, type, title, fileSize }) =>
    type === undefined ? [] : [{ url, type, title, fileSize }],
  )
}

/** Returns the URLs of a story's videos on known platforms, including videos embedded in its text. */
export function videoAddressesOf({ videos, text }: RecordOf['news']): readonly string[] {
  const codes = [...videos.slice(0, maxMedia).map(({ embedCode }) => embedCode), text]
  const addresses = codes.flatMap((code) =>
    [...code.slice(0, maxCodeLength).matchAll(/<iframe\b([^<>]{0,4000})>/gi)].flatMap(
      ([, attributes = '']) => {
        const [, source = ''] = /\ssrc\s*=\s*["']?([^"'\s]+)/i.exec(attributes) ?? []
        return watchAddress(source) ?? []
      },
    ),
  )
  return [...new Set(addresses)]
}

type Link = Pick<Media, 'url' | 'title'>

/** Returns links to a story's files, which may be on any website. */
export function fileLinksOf({ attachments }: RecordOf['news'], siteUrl: string): readonly Link[] {
  return attachments.slice(0, maxMedia).flatMap(({ url, fileName }) => {
    const address = addressOf(url, siteUrl, ['https:', 'http:'])
    return address ? [{ url: address, title: oneLine(fileName) || 'File' }] : []
  })
}

export function linksOf({ links }: RecordOf['news'], siteUrl: string): readonly Link[] {
  return links.slice(0, maxMedia).flatMap(({ url, text }) => {
    const address = addressOf(url, siteUrl, ['https:', 'http:', 'mailto:', 'tel:'])
    return address ? [{ url: address, title: oneLine(text) || address }] : []
  })
}

export function pictureHtml({ url, title, width, height }: Picture): string {
  const size = [sizeAttribute('width', width), sizeAttribute('height', height)].join('')
  const image = `<img src="${escapeHtml(url)}" alt="${escapeHtml(title)}"${size} />`
  const caption = title === '' ? '' : `<figcaption>${escapeHtml(title)}</figcaption>`
  return `<figure>${image}${caption}</figure>`
}

export function linkListHtml(links: readonly Link[]): string {
  if (links.length === 0) return ''
  const items = links.map(({ url, title }) => `<li>${linkHtml(url, title)}</li>`)
  return `<ul>${items.join('')}</ul>`
}

function sizeAttribute(name: string, pixels: number | undefined): string {
  return pixels === undefined ? '' : ` ${name}="${pixels}"`
}

/** Returns a number of pixels or bytes, or undefined for an impossible value. */
function amount(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined
}

function watchAddress(source: string): string | undefined {
  const address = source.replaceAll('&amp;', '&')
  if (!URL.canParse(address, 'https://www.example.org')) return undefined
  const { hostname, pathname, searchParams } = new URL(address, 'https://www.example.org')
  const [, youTubeId] = /^\/embed\/([\w-]{1,64})\/?$/.exec(pathname) ?? []
  if (youTubeId && /^(?:www\.|m\.)?youtube(?:-nocookie)?\.com$/.test(hostname)) {
    if (youTubeId !== 'videoseries') return `https://www.youtube.com/watch?v=${youTubeId}`
    const [list] = /^[\w-]{1,64}$/.exec(searchParams.get('list') ?? '') ?? []
    return list && `https://www.youtube.com/playlist?list=${list}`
  }
  const [, vimeoId] = /^\/video\/(\d{1,16})\/?$/.exec(pathname) ?? []
  if (!vimeoId || hostname !== 'player.vimeo.com') return undefined
  const [unlisted] = /^\w{1,32}$/.exec(searchParams.get('h') ?? '') ?? []
  return `https://vimeo.com/${vimeoId}${unlisted ? `/${unlisted}` : ''}`
}

function addressOf(
  address: string,
  siteUrl: string,
  protocols: readonly string[] = ['https:'],
): string | undefined {
  const url = absoluteUrl(address, siteUrl)
  return url && protocols.includes(url.protocol) ? url.href : undefined
}

function endingOf(name: string): string {
  const [, ending = ''] = /\.([a-z\d]{1,10})(?:[?#]|$)/i.exec(name) ?? []
  return ending.toLowerCase()
}
