import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join, parse } from 'node:path'
import { Router } from 'express'
import { sendAsset, templates } from '../templates.ts'

const files = ['style.css', 'pages.js', 'embed.css', 'embed.js', 'icon.svg'] as const

export type AssetName = (typeof files)[number]

/** Styles, scripts and icon for pages. Each path contains a hash of the content. */
export type Assets = {
  readonly pathOf: (name: AssetName) => string
  readonly paths: readonly string[]
  readonly router: Router
}

/** Shared by all sites in the process. */
const contents = files.map((name) => {
  const bytes = readFileSync(join(templates, name))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  return { name, bytes, path: `/assets/${parse(name).name}.${hash}${extname(name)}` }
})

export function createAssets(basePath: string): Assets {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { name, bytes, path } of contents) router.get(path, sendAsset(name, bytes))
  const paths = new Map(contents.map(({ name, path }) => [name, `${basePath}${path}`]))
  return { pathOf: (name) => paths.get(name) ?? '', paths: [...paths.values()], router }
}
