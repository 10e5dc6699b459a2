import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import type { TimeSource } from '../clock.ts'
import { useFontsFile } from '../config/env-file.ts'
import { iconPaths, type Site } from '../feeds/site.ts'
import type { Logger } from '../log.ts'
import {
  isLogo,
  renderIcon,
  renderPreview,
  type Icon,
  type SiteImageContent,
} from '../pictures/icon-drawing.ts'
import { fontsFile } from '../pictures/image-library.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import { basePathOf } from './urls.ts'
import { sendAsset } from './templates.ts'

/** Incremented when images are drawn differently, because browsers keep them for a year. */
const designVersion = 1

/** Systems crop maskable icons to a circle or another shape, by up to 10% on each side. */
const icons = {
  // Three times the size on pages.
  'logo.png': { size: 156, logoShare: 1, isOpaque: false },
  'icon-32.png': { size: 32, logoShare: 1, isOpaque: false },
  'icon-144.png': { size: 144, logoShare: 0.9, isOpaque: true },
  'icon-180.png': { size: 180, logoShare: 0.84, isOpaque: true },
  'icon-192.png': { size: 192, logoShare: 0.9, isOpaque: true },
  'icon-512.png': { size: 512, logoShare: 0.9, isOpaque: true },
  'maskable-512.png': { size: 512, logoShare: 0.66, isOpaque: true },
} satisfies Readonly<Record<string, Icon>>

const names = [...(Object.keys(icons) as (keyof typeof icons)[]), 'preview.png'] as const

type ImageName = (typeof names)[number]

const manifestName = 'site.webmanifest'

const fileNames: readonly string[] = [...names, manifestName]

export function siteImagePaths(site: Site): readonly string[] {
  const folder = folderOf(site, readLogo(site.identity.logo))
  return [...Object.values(iconPaths), ...fileNames.map((name) => `${folder}/${name}`)]
}

/** A logo on another server may change without notice. */
const logoFreshMs = 24 * 60 * 60_000
/** After this time, images without the logo are replaced if it can be fetched again. */
const logoMissingMs = 5 * 60_000

type Made = { readonly bytes: Buffer; readonly validUntil: number }

export type SiteImages = {
  /** Returns the path of a file, which changes when its content does, or undefined for other names. */
  readonly pathOf: (name: string) => string | undefined
  /** Returns the manifest of an app that starts at a page. */
  readonly appManifest: (home: string) => object
  readonly send: RequestHandler
  /** Sends an icon whose path never changes. */
  readonly sendIcon: RequestHandler
  readonly sendFavicon: RequestHandler
  /** Resolves to an icon with a background, as PNG. */
  readonly icon: () => Promise<Buffer | undefined>
}

/** Serves the icons, logo, link preview and web app manifest. Draws each image when it is first requested. */
export function createSiteImages({
  site,
  fetchPicture,
  clock,
  log,
}: {
  readonly site: Site
  readonly fetchPicture: PictureSource['fetch']
  readonly clock: TimeSource
  readonly log?: Logger
}): SiteImages {
  useFontsFile(fontsFile)
  const { identity } = site
  const logoUrl = isUrl(identity.logo) ? identity.logo : undefined
  const logoFile = readLogo(identity.logo, log)
  const folder = folderOf(site, logoFile)
  const base = `${basePathOf(site)}${folder}`
  const made = new Map<ImageName, Promise<Made | undefined>>()

  async function make(name: ImageName): Promise<Made | undefined> {
    const fetched = logoUrl === undefined ? undefined : await fetchPicture(logoUrl)
    const logo = logoFile ?? fetched?.bytes
    const { initials, place, colors } = identity
    const { accent: color, onAccent: onColor } = colors.brand
    const content = { initials, name: site.name, place, color, onColor, logo }
    const draw = (each: SiteImageContent) =>
      name === 'preview.png' ? renderPreview(each) : renderIcon(each, icons[name])
    const bytes = (await draw(content)) ?? (await draw({ ...content, logo: undefined }))
    const freshMs = logo ? logoFreshMs : logoMissingMs
    return bytes && { bytes, validUntil: logoUrl === undefined ? Infinity : clock.now() + freshMs }
  }

  /** Returns the image, and draws it again if the logo may have changed. */
  async function image(name: ImageName): Promise<Made | undefined> {
    const known = await made.get(name)
    if (known && clock.now() < known.validUntil) return known
    const making = make(name).catch(() => known)
    made.set(name, making)
    const result = await making
    if (!result && made.get(name) === making) made.delete(name)
    return result
  }

  const manifest = Buffer.from(JSON.stringify(manifestOf(site, base, `${basePathOf(site)}/`)))
  return {
    pathOf: (name) => (fileNames.includes(name) ? `${base}/${name}` : undefined),
    // iPhones do not support `minimal-ui`.
    appManifest: (home) => ({
      ...manifestOf(site, base, home),
      display: 'standalone',
      display_override: ['minimal-ui'],
    }),
    async send({ path, params }, response, next) {
      const isCurrent = path.startsWith(`${folder}/`)
      if (params['file'] === manifestName) {
        return sendAsset(response, { name: manifestName, bytes: manifest }, { isCurrent })
      }
      const name = names.find((each) => each === params['file'])
      const found = name && (await image(name))
      if (!found) return next()
      const freshMs = found.validUntil - clock.now()
      sendAsset(response, { name, bytes: found.bytes }, { isCurrent, freshMs })
    },
    async sendIcon({ path }, response, next) {
      const name = names.find((each) => `/${each}` === path)
      const found = name && Object.values(iconPaths).includes(path) && (await image(name))
      if (!found) return next()
      const freshMs = Math.min(found.validUntil - clock.now(), logoFreshMs)
      sendAsset(response, { name, bytes: found.bytes }, { isCurrent: true, freshMs })
    },
    // Browsers request this file for pages that don't specify an icon, such as a feed.
    icon: async () => (await image('icon-144.png'))?.bytes,
    sendFavicon: (_request, response) => response.redirect(302, `${base}/icon-32.png`),
  }
}

function isUrl(logo: string | undefined): logo is string {
  return logo?.startsWith('https:') === true
}

/** Returns the content of the logo's file, or undefined if it cannot be used. */
function readLogo(path: string | undefined, log?: Logger): Buffer | undefined {
  if (path === undefined || isUrl(path)) return undefined
  const [, uploaded] = /^data:[^,]*,(.*)$/.exec(path) ?? []
  if (uploaded !== undefined) return Buffer.from(uploaded, 'base64')
  try {
    const file = readFileSync(path)
    if (isLogo(file)) return file
    log?.warn({ path }, 'SITE_LOGO is not a picture that can be read; pages show the initials')
  } catch (error) {
    log?.warn({ path, err: error }, 'SITE_LOGO cannot be read; pages show the initials')
  }
  return undefined
}

function folderOf(site: Site, logoFile: Buffer | undefined): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([designVersion, site.name, site.identity]))
    .update(logoFile ?? '')
  return `/assets/site-${hash.digest('base64url').slice(0, 12)}`
}

/** Web app manifest, https://www.w3.org/TR/appmanifest/. */
function manifestOf(site: Site, base: string, home: string): object {
  const icon = (name: ImageName, size: number, purpose: string) => {
    return { src: `${base}/${name}`, sizes: `${size}x${size}`, type: 'image/png', purpose }
  }
  return {
    name: site.name,
    id: home,
    start_url: home,
    scope: home,
    display: 'minimal-ui',
    theme_color: site.identity.colors.brand.accent,
    background_color: '#ffffff',
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('maskable-512.png', 512, 'maskable'),
    ],
  }
}
