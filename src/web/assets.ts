import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, parse } from 'node:path'
import type { RequestHandler } from 'express'
import type { AccentColors, Identity } from '../feeds/identity.ts'
import { withOlderColors } from './older-colors.ts'
import { sendAsset, templates, withoutComments } from './templates.ts'

/** Style sheets that are only included in others. */
const [lists, monthGrid] = ['lists.css', 'month-grid.css']

/**
 * All versions of the element that shows embeds on other pages, newest first. Those pages pin a
 * version by its hash, so old versions remain and never change
 * (docs/decisions/11-pages-pin-the-embed-script.md).
 */
export const elementScripts = ['feedhouse-events-2.js', 'feedhouse-events-1.js'] as const

const parts: Readonly<Record<string, readonly string[]>> = {
  'style.css': [lists, 'style.css'],
  'month.css': [monthGrid, 'month.css'],
  'embed.css': [lists, monthGrid, 'embed.css'],
}

/** Boards and service workers have URLs of their own. */
const servedElsewhere = /^board\/(?:board\.css|.*\.js)$|-worker\.js$|^sandbox\//

/** Paths of the files by their names, which are unique. */
const files = new Map(
  readdirSync(templates, { encoding: 'utf8', recursive: true })
    .filter((path) => /\.(?:css|js)$/.test(path) && !servedElsewhere.test(path))
    .map((path) => [basename(path), path] as const),
)

/** Shared by all sites in the process. */
const shared = [...files.keys()]
  .filter((name) => name !== lists && name !== monthGrid)
  .map((name) => assetOf(name, contentOf(name)))

export type Assets = {
  readonly pathOf: (name: string) => string | undefined
  readonly paths: readonly string[]
  readonly send: RequestHandler
}

/** Serves styles and scripts for pages. Each path contains a hash of the content. */
export function createAssets(basePath: string, identity: Identity): Assets {
  const contents = [...shared, assetOf('identity.css', Buffer.from(identityStyle(identity)))]
  const paths = new Map(contents.map(({ name, path }) => [name, `${basePath}${path}`] as const))
  return {
    pathOf: (name) => paths.get(name),
    paths: [...paths.values()],
    send({ path, params }, response, next) {
      const file = String(params['file'])
      const [, base, extension] = /^(.+)\.[\w-]{12}(\.\w+)$/.exec(file) ?? []
      const asset = contents.find(({ name }) => name === `${base}${extension}`)
      return asset ? sendAsset(response, asset, { isCurrent: asset.path === path }) : next()
    },
  }
}

function contentOf(name: string): Buffer {
  const contents = (parts[name] ?? [name]).map((part) =>
    readFileSync(join(templates, files.get(part) ?? part), 'utf8'),
  )
  // Pages pin the embed script by its hash, so it keeps its comments.
  if (elementScripts.some((each) => each === name)) return Buffer.from(contents.join(''))
  const content = withoutComments(contents.join(''))
  if (extname(name) !== '.css') return Buffer.from(content)
  const style = withOlderColors(compact(content))
  return Buffer.from(name === 'embed.css' ? independentOfPage(style) : style)
}

/** Removes white space around lines and braces. */
function compact(css: string): string {
  return css
    .replaceAll(/\n\s*/g, '\n')
    .replaceAll(/;?\n\}/g, '}')
    .replaceAll(/ \{\n/g, '{')
}

/** Replaces units and selectors that would depend on the page around an embed. */
function independentOfPage(css: string): string {
  return css
    .replaceAll(
      /@media \(max-width: ([\d.]+)rem\)/g,
      (_query, rem) => `@container (max-width: ${Number(rem) * 16}px)`,
    )
    .replaceAll(/([\d.]+)rem\b/g, 'calc($1 * var(--feedhouse-rem))')
    .replaceAll(':root', '.embed')
}

function assetOf(name: string, bytes: Buffer) {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  return { name, bytes, path: `/assets/${parse(name).name}.${hash}${extname(name)}` }
}

/** Boards and embeds select a theme with a class. Other pages follow the device, unlike embeds. */
function identityStyle({ colors }: Identity): string {
  const { accent, onAccent } = colors.brand
  return `:root, .embed { --brand: ${accent}; --on-brand: ${onAccent}; }\n${accentStyle(colors)}`
}

export function accentStyle(colors: AccentColors): string {
  const [light, dark] = [colors.light, colors.dark].map(
    ({ accent, onAccent }) => `{ --accent: ${accent}; --on-accent: ${onAccent}; }`,
  )
  return `:root, :root.light, .embed ${light}
:root.dark, .embed.dark ${dark}
@media screen and (prefers-color-scheme: dark) {
:root:not(.light):not(.dark), .embed.device ${dark}
}
`
}
