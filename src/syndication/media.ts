import { fileTypeOf } from '../text/file-types.ts'
import type { PictureTypes } from '../records/picture-types.ts'
import type { RecordOf } from '../records/read-records.ts'
import { oneLine } from '../text/plain-text.ts'
import { absoluteUrl, escapeHtml, linkHtml, playersIn } from '../text/html.ts'
import { playerAddress } from '../text/players.ts'
import { itemMessages } from './messages.ts'

type Story = RecordOf['news']

/** A file attached to an item. Its URL is absolute and uses https. */
export type Media = {
  readonly url: string
  readonly type: string
  readonly title: string
  /** Size in bytes. */
  readonly fileSize: number | undefined
}

export type Picture = Omit<Media, 'type'> & {
  /** Undefined if the file name does not reveal the type, and the picture has not been fetched. */
  readonly type: string | undefined
  readonly width: number | undefined
  readonly height: number | undefined
}

type Link = { readonly url: string; readonly title: string }

type LinkSource = { readonly siteUrl: string; readonly language: string }

/** Maximum number of pictures per story, and likewise of videos, files, and links. */
const maxMedia = 100

/** Returns a story's pictures, starting with the front picture. */
export function picturesOf(
  { images }: Story,
  siteUrl: string,
  types: PictureTypes = {},
): readonly Picture[] {
  return withUsableUrls(images, siteUrl)
    .toSorted((a, b) => Number(b.front) - Number(a.front))
    .map(({ url, caption, width, height, fileSize }) => ({
      url,
      type: pictureTypeOf(url) ?? types[url],
      title: oneLine(caption),
      fileSize: amount(fileSize),
      width: amount(width),
      height: amount(height),
    }))
}

/** Returns the captions of pictures that cannot be shown. */
export function captionsOf({ images }: Story, siteUrl: string): readonly string[] {
  return images
    .slice(0, maxMedia)
    .filter((image) => withUsableUrls([image], siteUrl).length === 0)
    .map(({ caption }) => oneLine(caption))
}

/** Returns a story's files whose URLs have one of the protocols. */
export function attachmentsOf(
  { attachments }: Story,
  { siteUrl, language }: LinkSource,
  protocols = ['https:'],
): readonly Media[] {
  return withUsableUrls(attachments, siteUrl, protocols).map(
    ({ url, fileName, extension, fileSize }) => {
      const names = [`.${extension.replace(/^\./, '')}`, fileName, url]
      const type = names.map(fileTypeOf).find((each) => each !== undefined)
      return {
        url,
        type: type ?? 'application/octet-stream',
        title: oneLine(fileName) || itemMessages(language).unnamedFile,
        fileSize: amount(fileSize),
      }
    },
  )
}

export function linksOf({ links }: Story, siteUrl: string): readonly Link[] {
  return withUsableUrls(links, siteUrl, ['https:', 'http:', 'mailto:', 'tel:']).map(
    ({ url, text }) => ({ url, title: oneLine(text) || url }),
  )
}

/** Returns the first files or links whose URLs have one of the protocols, with absolute URLs. */
function withUsableUrls<T extends { readonly url: string }>(
  media: readonly T[],
  siteUrl: string,
  protocols: readonly string[] = ['https:'],
): readonly T[] {
  return media.slice(0, maxMedia).flatMap((each) => {
    const url = absoluteUrl(each.url, siteUrl)
    return url && protocols.includes(url.protocol) ? [{ ...each, url: url.href }] : []
  })
}

/** Returns pictures and files of known types, most important first. Some readers use only one. */
export function enclosuresOf(
  pictures: readonly Picture[],
  attachments: readonly Media[],
): readonly Media[] {
  return [...pictures, ...attachments].flatMap(({ url, type, title, fileSize }) =>
    type === undefined ? [] : [{ url, type, title, fileSize }],
  )
}

/** Returns the URLs of a story's videos, live streams and recordings, except those in its text. */
export function playersOf({ videos }: Story, siteUrl: string): readonly string[] {
  const urls = videos.slice(0, maxMedia).flatMap(({ embedCode }) => {
    if (!/^https?:\/\/\S+$/i.test(embedCode)) return playersIn(embedCode, siteUrl)
    return (
      playerAddress('iframe', { src: embedCode }) ?? absoluteUrl(embedCode, siteUrl)?.href ?? []
    )
  })
  return [...new Set(urls)]
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

function pictureTypeOf(url: string): string | undefined {
  const type = fileTypeOf(url)
  return type?.startsWith('image/') ? type : undefined
}
