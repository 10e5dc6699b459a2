import type { NewsStory } from '../records/news-story.ts'
import { plainTextFromHtml } from '../records/plain-text.ts'
import { escapeHtml } from './html.ts'

/** A picture or a file that belongs to an item; its address is absolute and https. */
export type Media = {
  readonly url: string
  /** By the ending of its name. */
  readonly type: string
  readonly title: string
  /** In bytes. */
  readonly fileSize: number | undefined
}

export type Picture = Media & {
  readonly width: number | undefined
  readonly height: number | undefined
}

const pictureTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

const fileTypes: Readonly<Record<string, string>> = {
  ...pictureTypes,
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  txt: 'text/plain',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** A story's pictures, the front one first. */
export function picturesOf({ images }: NewsStory, siteUrl: string): readonly Picture[] {
  return images
    .toSorted((a, b) => Number(b.front) - Number(a.front))
    .flatMap(({ url, caption, width, height, fileSize }) => {
      const address = addressOf(url, siteUrl)
      const type = address && pictureTypes[endingOf(address)]
      if (!address || !type) return []
      return [
        {
          url: address,
          type,
          title: oneLine(caption),
          fileSize: amount(fileSize),
          width: amount(width),
          height: amount(height),
        },
      ]
    })
}

export function attachmentsOf({ attachments }: NewsStory, siteUrl: string): readonly Media[] {
  return attachments.flatMap(({ url, fileName, fileSize }) => {
    const address = addressOf(url, siteUrl)
    if (!address) return []
    const type = fileTypes[endingOf(address)] ?? 'application/octet-stream'
    const title = oneLine(fileName) || 'File'
    return [{ url: address, type, title, fileSize: amount(fileSize) }]
  })
}

/** Where to watch a story's videos, for players that are known; never the embed code itself. */
export function videoAddressesOf({ videos }: NewsStory): readonly string[] {
  return videos.flatMap(({ embedCode }) => {
    const [, source = ''] = /<iframe\b[^>]*?\ssrc\s*=\s*["']?([^"'\s>]+)/i.exec(embedCode) ?? []
    return watchAddress(source) ?? []
  })
}

export function linksOf(
  { links }: NewsStory,
  siteUrl: string,
): readonly Pick<Media, 'url' | 'title'>[] {
  return links.flatMap(({ url, text }) => {
    const address = addressOf(url, siteUrl, ['https:', 'http:'])
    return address ? [{ url: address, title: oneLine(text) || address }] : []
  })
}

export function pictureHtml({ url, title, width, height }: Picture): string {
  const size = [sizeAttribute('width', width), sizeAttribute('height', height)].join('')
  const image = `<img src="${escapeHtml(url)}" alt="${escapeHtml(title)}"${size} />`
  const caption = title === '' ? '' : `<figcaption>${escapeHtml(title)}</figcaption>`
  return `<figure>${image}${caption}</figure>`
}

export function linkListHtml(links: readonly Pick<Media, 'url' | 'title'>[]): string {
  if (links.length === 0) return ''
  const items = links.map(
    ({ url, title }) =>
      `<li><a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${escapeHtml(title)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

function sizeAttribute(name: string, pixels: number | undefined): string {
  return pixels === undefined ? '' : ` ${name}="${pixels}"`
}

/** Of pixels or bytes; undefined for what can be none. */
function amount(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined
}

function watchAddress(source: string): string | undefined {
  if (!URL.canParse(source, 'https://www.example.org')) return undefined
  const { hostname, pathname } = new URL(source, 'https://www.example.org')
  const [, youTubeId] = /^\/embed\/([\w-]{1,64})$/.exec(pathname) ?? []
  if (youTubeId && /^(?:www\.)?youtube(?:-nocookie)?\.com$/.test(hostname)) {
    return `https://www.youtube.com/watch?v=${youTubeId}`
  }
  const [, vimeoId] = /^\/video\/(\d{1,16})$/.exec(pathname) ?? []
  return vimeoId && hostname === 'player.vimeo.com' ? `https://vimeo.com/${vimeoId}` : undefined
}

function addressOf(
  address: string,
  siteUrl: string,
  protocols: readonly string[] = ['https:'],
): string | undefined {
  if (address === '' || !URL.canParse(address, siteUrl)) return undefined
  const url = new URL(address, siteUrl)
  return protocols.includes(url.protocol) ? url.href : undefined
}

function endingOf(address: string): string {
  const [, ending = ''] = /\.([a-z\d]+)$/i.exec(new URL(address).pathname) ?? []
  return ending.toLowerCase()
}

function oneLine(html: string): string {
  return plainTextFromHtml(html).replace(/\s+/g, ' ').trim()
}
