import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import type { Identity } from '../../feeds/identity.ts'
import { languages } from '../../records/messages.ts'
import { boardMessages } from '../../signage/messages.ts'
import { sendAsset, templates } from '../../web/templates.ts'
import { builtFiles, workerFile } from './board-build.ts'

const folder = join(templates, 'board')

/** A script in the page that every browser can run, so it is not built. */
const guardText = readFileSync(join(folder, 'board-guard.js'), 'utf8')
const guardHash = createHash('sha256').update(guardText).digest('base64')

/** Script in the page, and its hash as a source expression (CSP 3, 2.3.1). */
export const boardGuard = { text: guardText, hash: `'sha256-${guardHash}'` }

/** The files of boards, bundled and with syntax that the oldest browsers know. */
type Build = {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  readonly worker: string
  readonly version: string
}

let build: Build | undefined

/** Builds the files when the first board is requested. */
export function boardBuild(): Build {
  build ??= buildFiles()
  return build
}

function buildFiles(): Build {
  const built = builtFiles().map(({ name, text }) => ({ name, bytes: Buffer.from(text) }))
  const hash = createHash('sha256').update(guardText)
  hash.update(readFileSync(join(folder, 'board.eta')))
  hash.update(JSON.stringify(languages.map(boardMessages)))
  for (const { name, bytes } of built) hash.update(name).update(bytes)
  const files = built.filter(({ name }) => name !== workerFile)
  const worker = built.find(({ name }) => name === workerFile)?.bytes.toString() ?? ''
  return { files, worker, version: hash.digest('base64url') }
}

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
  const { files, version: shared } = boardBuild()
  const hash = createHash('sha256').update(shared).update(JSON.stringify(identity))
  const version = hash.digest('base64url').slice(0, 12)
  const pathOf = (name: string) => `${basePath}/assets/board-${version}/${name}`
  return {
    version,
    pathOf,
    paths: files.map(({ name }) => pathOf(name)),
    send({ params }, response, next) {
      const asset = files.find(({ name }) => name === params['file'])
      const isCurrent = params['version'] === version
      return asset ? sendAsset(response, asset, { isCurrent }) : next()
    },
  }
}
