import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, getCompileCacheDir } from 'node:module'
import { basename, join } from 'node:path'
import type { BuildOptions, BuildResult } from 'esbuild'
import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import { hashWithCode, pageCode } from '../../representations/presentation-changed-at.ts'
import { oldestBrowsers } from '../../web/oldest-browsers.ts'
import { templates } from '../../web/templates.ts'

const folder = join(templates, 'board')

export const workerFile = 'board-worker.js'

const options = {
  absWorkingDir: folder,
  entryPoints: ['board.js', 'board-ended.js', workerFile, 'board.css'],
  outdir: folder,
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  ...oldestBrowsers,
  logLevel: 'silent',
} satisfies BuildOptions

const buildSchema = z.object({
  /** Hash of the code that the files were built from. */
  code: z.string(),
  files: z.array(z.object({ name: z.string(), text: z.string() })),
})

type BuiltFiles = z.infer<typeof buildSchema>['files']

/**
 * Bundles the scripts and styles of boards, with syntax that the oldest supported browsers understand. This takes 50
 * milliseconds and starts another process, so the result is kept with Node's compiled code.
 */
export function builtFiles(): BuiltFiles {
  const directory = getCompileCacheDir()
  if (directory === undefined) return build()
  const path = join(directory, 'board-build.json')
  const code = hashWithCode(options, pageCode)
  const kept = readBuild(path)
  if (kept?.code === code) return kept.files
  const files = build()
  keepBuild(path, JSON.stringify({ code, files }))
  return files
}

function readBuild(path: string) {
  try {
    return buildSchema.safeParse(parsedJson(readFileSync(path, 'utf8'))).data
  } catch {
    // It has not been built yet.
    return undefined
  }
}

function keepBuild(path: string, text: string): void {
  try {
    const part = `${path}.${process.pid}`
    writeFileSync(part, text)
    renameSync(part, path)
  } catch {
    // The directory may be read-only. Node does not report this either.
  }
}

function build(): BuiltFiles {
  // Loading esbuild is slow, and the files rarely have to be built.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as Esbuild
  return buildSync(options).outputFiles.map(({ path, text }) => ({ name: basename(path), text }))
}

type Esbuild = { readonly buildSync: (given: typeof options) => BuildResult<typeof options> }
