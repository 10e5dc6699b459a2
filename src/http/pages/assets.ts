import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join, parse } from 'node:path'
import { Router } from 'express'
import { templates } from '../templates/templates.ts'

const yearSeconds = 31_536_000

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const files = ['style.css', 'pages.js', 'embed.css', 'embed.js', 'icon.svg'] as const

export type AssetName = (typeof files)[number]

/** What the pages load. Its address changes with its content, so that it may be kept for ever. */
export type Assets = {
  readonly pathOf: (name: AssetName) => string
  readonly paths: readonly string[]
  readonly router: Router
}

/** The same for all sites of the process. */
const contents = files.map((name) => {
  const bytes = readFileSync(join(templates, name))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  return { name, bytes, path: `/assets/${parse(name).name}.${hash}${extname(name)}` }
})

export function createAssets(basePath: string): Assets {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { name, bytes, path } of contents) {
    router.get(path, (_request, response) => {
      response
        .set('Cache-Control', `public, max-age=${yearSeconds}, immutable`)
        // Boards and lists are shown in frames, too, some of which are of no origin.
        .set('Cross-Origin-Resource-Policy', 'cross-origin')
        .set('Access-Control-Allow-Origin', '*')
        .set('Content-Type', contentTypes[extname(name)] ?? '')
        .send(bytes)
    })
  }
  const paths = new Map(contents.map(({ name, path }) => [name, `${basePath}${path}`]))
  return { pathOf: (name) => paths.get(name) ?? '', paths: [...paths.values()], router }
}
