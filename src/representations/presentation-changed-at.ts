import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Site } from '../feeds/site.ts'
import { parsedJson } from '../json.ts'
import { withFallback } from '../store/store-error.ts'
import { updatedState, type Documents } from '../store/store.ts'

const root = join(import.meta.dirname, '../..')

export const presentationDocument = { bucket: 'presentation', id: 'feeds' }

/**
 * Returns when the presentation of feeds last changed because of settings, code or Node, in milliseconds
 * since the epoch. Last-Modified is never earlier, so that clients that send only `If-Modified-Since` get
 * the new presentation. All replicas share this time, which persists across restarts. No two changes
 * have the same time, because fronts recognize the settings of their responses by it.
 */
export async function presentationChangedAt(
  documents: Documents,
  site: Site,
  now: number,
): Promise<number> {
  const presentation = presentationOf(site)
  const next = (found: Stored | undefined): Stored => {
    const before = storedSchema.safeParse(found).data
    return before?.presentation === presentation
      ? before
      : { presentation, since: later(now, before) }
  }
  const state = await withFallback(() => updatedState(documents, presentationDocument, next))
  return state?.since ?? now
}

/**
 * Returns the document to store after a restore. A restore counts as a change. The time never moves
 * backward, because clients have already received it as Last-Modified.
 */
export function restoredPresentationChange(
  text: string,
  before: string | undefined,
  now: number,
): string {
  const [restored, known] = [text, before ?? ''].map(
    (each) => storedSchema.safeParse(parsedJson(each)).data,
  )
  const since = later(later(now, restored), known)
  return JSON.stringify({ presentation: restored?.presentation ?? '', since } satisfies Stored)
}

/** Returns a time after the latest change, even if the clock has gone back. */
const later = (now: number, before: Stored | undefined) => Math.max(now, (before?.since ?? 0) + 1)

/** `since` must be a valid date, even one millisecond later. */
const storedSchema = z.object({ presentation: z.string(), since: z.number().max(8e15) })

type Stored = Readonly<z.infer<typeof storedSchema>>

function presentationOf({ identity: _isNotInFeeds, ...site }: Site): string {
  return hashWithCode(site)
}

/** Returns a hash of settings, the code in these folders, and versions of Node, its data and packages. */
export function hashWithCode(settings: unknown, folders = feedCode): string {
  const { node, icu, tz } = process.versions
  const hash = createHash('sha256').update(JSON.stringify([settings, node, icu, tz]))
  for (const folder of folders) hash.update(codeHash(folder))
  return hash.digest('base64url')
}

/** Folders and files with code on which feeds depend. */
const feedCode: readonly string[] = ['src', 'package-lock.json', 'npm-shrinkwrap.json']

/** Folders and files with code on which pages depend. */
export const pageCode: readonly string[] = [...feedCode, 'templates']

const knownHashes = new Map<string, string>()

/** Returns a hash of a file or of all files in a folder, computed once per process. */
function codeHash(path: string): string {
  const known = knownHashes.get(path)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const file of filesAt(join(root, path))) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  }
  const result = hash.digest('base64url')
  knownHashes.set(path, result)
  return result
}

function filesAt(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats ? [path] : []
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}
