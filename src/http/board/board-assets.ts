import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Router } from 'express'
import { templates } from '../templates/templates.ts'

const yearSeconds = 31_536_000

const signage = join(import.meta.dirname, '../../signage')

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

/** What a board's page is made of; the scripts import each other by these names. */
const files = [
  join(templates, 'board.css'),
  join(templates, 'board.js'),
  join(templates, 'board-answer.js'),
  join(templates, 'board-storage.js'),
  join(templates, 'board-ended.js'),
  join(signage, 'board-language.js'),
  join(signage, 'board-view.js'),
  join(signage, 'board-html.js'),
]

export type BoardAssets = {
  /** Another whenever the page is another: screens load it anew then. */
  readonly version: string
  readonly pathOf: (name: string) => string
  readonly paths: readonly string[]
  /** The service worker's script. */
  readonly worker: string
  readonly router: Router
}

/* The same for all sites of the process. */
const worker = readFileSync(join(templates, 'board-worker.js'), 'utf8')
const contents = files.map((file) => ({ name: basename(file), bytes: readFileSync(file) }))
const version = versionOf()

function versionOf(): string {
  const hash = createHash('sha256').update(worker)
  hash.update(readFileSync(join(templates, 'board.eta')))
  for (const { name, bytes } of contents) hash.update(name).update(bytes)
  return hash.digest('base64url').slice(0, 12)
}

export function createBoardAssets(basePath: string): BoardAssets {
  const router = Router({ caseSensitive: true, strict: true })
  const folder = `/assets/board-${version}`
  for (const { name, bytes } of contents) {
    router.get(`${folder}/${name}`, (_request, response) => {
      response
        .set('Cache-Control', `public, max-age=${yearSeconds}, immutable`)
        // Boards and lists are shown in frames, too, some of which are of no origin.
        .set('Cross-Origin-Resource-Policy', 'cross-origin')
        .set('Access-Control-Allow-Origin', '*')
        .set('Content-Type', name.endsWith('.css') ? contentTypes.css : contentTypes.js)
        .send(bytes)
    })
  }
  const pathOf = (name: string) => `${basePath}${folder}/${name}`
  const paths = contents.map(({ name }) => pathOf(name))
  return { version, pathOf, paths, worker, router }
}
