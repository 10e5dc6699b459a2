import { extname, resolve } from 'node:path'
import { Eta } from 'eta'
import type { RequestHandler } from 'express'

/** Folder of the page templates, styles and scripts. */
export const templates = resolve(import.meta.dirname, '../../templates')

/** Shared by all sites in the process. */
const eta = new Eta({ views: templates, autoTrim: false, cache: true })

/** Renders a template from `templates/`. Escapes values by default. */
export type RenderPage = (template: string, shown: object) => string

export function createRenderPage(always: object): RenderPage {
  return (template, shown) => eta.render(`./${template}`, { ...always, ...shown })
}

const yearSeconds = 31_536_000

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** Returns a handler that sends a file whose path contains a content hash, so that caches may keep it. */
export function sendAsset(name: string, bytes: Buffer): RequestHandler {
  return (_request, response) => {
    response
      .set('Cache-Control', `public, max-age=${yearSeconds}, immutable`)
      // Boards and lists may be embedded in frames, some of which have an opaque origin.
      .set('Cross-Origin-Resource-Policy', 'cross-origin')
      .set('Access-Control-Allow-Origin', '*')
      .set('Content-Type', contentTypes[extname(name)] ?? '')
      .send(bytes)
  }
}
