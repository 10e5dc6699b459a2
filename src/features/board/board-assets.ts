import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import type { Identity } from '../../feeds/identity.ts'
import { languages } from '../../records/messages.ts'
import { boardMessages } from '../../signage/messages.ts'
import { sendAsset, templates, withoutComments } from '../../web/templates.ts'

const folder = join(templates, 'board')

const boardFile = /^board(?:-\w+)*\.js$|^board\.css$/

/** Scripts that boards do not load by file name. */
const [workerFile, guardFile] = ['board-worker.js', 'board-guard.js']

function assetsIn(folder: string) {
  return readdirSync(folder)
    .filter((name) => boardFile.test(name) && name !== workerFile && name !== guardFile)
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
    .map(({ name, text }) => ({ name, bytes: Buffer.from(withoutComments(text)) }))
}

// All files are served from the same path, because the scripts import each other by name.
const contents = [...assetsIn(folder), ...assetsIn(join(import.meta.dirname, '../../signage'))]
export const boardWorker = readFileSync(join(folder, workerFile), 'utf8')
const guardText = readFileSync(join(folder, guardFile), 'utf8')
const guardHash = createHash('sha256').update(guardText).digest('base64')
/** Names of the scripts that `board.js` imports. */
export const boardScripts: readonly string[] = contents
  .map(({ name }) => name)
  .filter((name) => name.endsWith('.js') && !['board.js', 'board-ended.js'].includes(name))
const sharedHash = createHash('sha256').update(boardWorker).update(guardText)
sharedHash.update(readFileSync(join(folder, 'board.eta')))
sharedHash.update(JSON.stringify(languages.map(boardMessages)))
for (const { name, bytes } of contents) sharedHash.update(name).update(bytes)
const sharedVersion = sharedHash.digest('base64url')

/** Script in the page, and its hash as a source expression (CSP 3, 2.3.1). */
export const boardGuard = { text: guardText, hash: `'sha256-${guardHash}'` }

export type BoardAssets = {
  /** Hash of the page, its files and the site's look. Screens reload when it changes. */
  readonly version: string
  readonly pathOf: (name: string) => string
  readonly paths: readonly string[]
  readonly send: RequestHandler
}

export function createBoardAssets({
  basePath,
  site: { identity },
}: {
  readonly basePath: string
  readonly site: { readonly identity: Identity }
}): BoardAssets {
  const hash = createHash('sha256').update(sharedVersion).update(JSON.stringify(identity))
  const version = hash.digest('base64url').slice(0, 12)
  const pathOf = (name: string) => `${basePath}/assets/board-${version}/${name}`
  return {
    version,
    pathOf,
    paths: contents.map(({ name }) => pathOf(name)),
    send({ params }, response, next) {
      const asset = contents.find(({ name }) => name === params['file'])
      const isCurrent = params['version'] === version
      return asset ? sendAsset(response, asset, { isCurrent }) : next()
    },
  }
}
