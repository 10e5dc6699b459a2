import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Router } from 'express'
import type { Identity } from '../../feeds/identity.ts'
import { sendAsset, templates } from '../templates.ts'

const signage = join(import.meta.dirname, '../../signage')

/**
 * Styles and scripts. All files are served from the same path, because the scripts import each other by
 * name.
 */
const files = [
  join(templates, 'board.css'),
  join(templates, 'board.js'),
  join(templates, 'board-answer.js'),
  join(templates, 'board-data.js'),
  join(templates, 'board-pane.js'),
  join(templates, 'board-screen.js'),
  join(templates, 'board-storage.js'),
  join(templates, 'board-ended.js'),
  join(signage, 'board-cards.js'),
  join(signage, 'board-header.js'),
  join(signage, 'board-html.js'),
  join(signage, 'board-language.js'),
  join(signage, 'board-layout.js'),
  join(signage, 'board-list.js'),
  join(signage, 'board-rows.js'),
  join(signage, 'board-sizes.js'),
  join(signage, 'board-text.js'),
  join(signage, 'board-times.js'),
  join(signage, 'board-view.js'),
]

export type BoardAssets = {
  /** Hash of the page, its files and the site's look. Screens reload when it changes. */
  readonly version: string
  readonly pathOf: (name: string) => string
  readonly paths: readonly string[]
  /** Names of the scripts that `board.js` imports. */
  readonly scripts: readonly string[]
  /** The service worker's script. */
  readonly worker: string
  /** Script in the page, and its hash as a source expression (CSP 3, 2.3.1). */
  readonly guard: { readonly text: string; readonly hash: string }
  readonly router: Router
}

/** Shared by all sites in the process. */
const worker = readFileSync(join(templates, 'board-worker.js'), 'utf8')
const guardText = readFileSync(join(templates, 'board-guard.js'), 'utf8')
const guard = {
  text: guardText,
  hash: `'sha256-${createHash('sha256').update(guardText).digest('base64')}'`,
}
const contents = files.map((file) => ({ name: basename(file), bytes: readFileSync(file) }))
const scripts = contents
  .map(({ name }) => name)
  .filter((name) => name.endsWith('.js') && !['board.js', 'board-ended.js'].includes(name))
const sharedVersion = versionOf()

function versionOf(): string {
  const hash = createHash('sha256').update(worker).update(guardText)
  hash.update(readFileSync(join(templates, 'board.eta')))
  for (const { name, bytes } of contents) hash.update(name).update(bytes)
  return hash.digest('base64url')
}

export function createBoardAssets(basePath: string, identity: Identity): BoardAssets {
  const hash = createHash('sha256').update(sharedVersion).update(JSON.stringify(identity))
  const version = hash.digest('base64url').slice(0, 12)
  const router = Router({ caseSensitive: true, strict: true })
  const folder = `/assets/board-${version}`
  router.get('/assets/board-:version/:file', ({ params }, response, next) => {
    const asset = contents.find(({ name }) => name === params.file)
    return asset ? sendAsset(response, asset, { isCurrent: params.version === version }) : next()
  })
  const pathOf = (name: string) => `${basePath}${folder}/${name}`
  const paths = contents.map(({ name }) => pathOf(name))
  return { version, pathOf, paths, scripts, worker, guard, router }
}
