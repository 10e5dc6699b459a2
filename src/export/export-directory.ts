import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'

/** Thrown if an export fails. The message is one or more sentences for users. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/** Path that stays within the directory. */
const file = z.string().regex(/^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/)

const manifestSchema = z.object({
  feedhouse: z.literal('export'),
  idHost: z.string().optional(),
  /** Files that Feedhouse wrote and may overwrite or remove. */
  files: z.array(file),
  /** Headers for files that never change and are not requested again. */
  headers: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
})

type Manifest = Omit<z.infer<typeof manifestSchema>, 'feedhouse'>

function manifestText({ idHost, files, headers }: Manifest): string {
  return `${JSON.stringify({ feedhouse: 'export', idHost, files: files.toSorted(), headers }, null, 1)}\n`
}

/** Feedhouse's own subdirectory, for the manifest and temporary files. */
const ownDirectory = '.feedhouse'
const manifestFile = `${ownDirectory}/manifest.json`
const stateFile = `${ownDirectory}/rendered.json`
const newFiles = `${ownDirectory}/new`

const maxNamedFiles = 3

export type ExportDirectory = {
  readonly manifest: () => Manifest
  /** Declares the files that may be written. Throws if there is one that Feedhouse did not write. */
  readonly begin: (files: readonly string[], idHost: string) => Promise<void>
  readonly has: (file: string) => Promise<boolean>
  readonly isCurrent: (file: string, bytes: Uint8Array) => Promise<boolean>
  /** Writes a file unless it is up to date. Returns true if it was written. */
  readonly write: (file: string, bytes: Uint8Array) => Promise<boolean>
  /** Removes files from earlier exports that are not in this manifest. Returns the number removed. */
  readonly finish: (next: Manifest) => Promise<number>
  readonly state: () => Promise<string | undefined>
  readonly keepState: (text: string) => Promise<void>
  /** Returns a hash that changes if one of the files is replaced or removed. */
  readonly stampOf: (files: readonly string[]) => Promise<string>
}

/**
 * Opens the output directory of an export. Files are replaced atomically and only if they change. Files
 * that Feedhouse did not write are never overwritten or removed.
 */
export async function openExportDirectory(path: string): Promise<ExportDirectory> {
  const directory = resolve(path)
  await makeDirectory(directory)
  let manifest = await storedManifest(directory)
  /** The files of the current export, until they are in the manifest. */
  let announced: { readonly files: readonly string[]; readonly idHost: string } | undefined

  const at = (file: string) => join(directory, file)

  async function keepManifest(next: Manifest): Promise<void> {
    if (manifestText(next) !== manifestText(manifest)) {
      await replaceFile(directory, manifestFile, Buffer.from(manifestText(next)))
    }
    manifest = next
  }

  /** Adds new files to the manifest before they are written, so that it is complete after a crash. */
  async function announce(): Promise<void> {
    if (!announced) return
    const { idHost, files } = announced
    await keepManifest({ ...manifest, idHost, files: [...new Set([...manifest.files, ...files])] })
    announced = undefined
  }

  return {
    manifest: () => manifest,
    async begin(files, idHost) {
      await rm(at(newFiles), { recursive: true, force: true })
      await requireNoForeignFiles(directory, files, new Set(manifest.files))
      announced = { files: [...files], idHost }
    },
    has: async (file) => manifest.files.includes(file) && (await fileExists(at(file))),
    isCurrent: (file, bytes) => isSame(at(file), bytes),
    async write(file, bytes) {
      if (await isSame(at(file), bytes)) return false
      if (!manifest.files.includes(file)) await announce()
      await replaceFile(directory, file, bytes)
      return true
    },
    async finish(next) {
      const kept = new Set(next.files)
      let removed = 0
      for (const file of manifest.files.filter((each) => !kept.has(each))) {
        if (await fileExists(at(file))) removed += 1
        await removeFile(directory, file)
      }
      await keepManifest(next)
      await rm(at(newFiles), { recursive: true, force: true })
      return removed
    },
    state: () => readFile(at(stateFile), 'utf8').catch(undefinedIfMissing),
    async keepState(text) {
      await replaceFile(directory, stateFile, Buffer.from(text))
      await rm(at(newFiles), { recursive: true, force: true })
    },
    stampOf: (files) => stampOf(directory, files),
  }
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    const probe = join(directory, ownDirectory, randomUUID())
    await mkdir(probe, { recursive: true })
    await rmdir(probe)
  } catch (error) {
    const isFile = (await stat(directory).catch(() => undefined))?.isDirectory() === false
    const why = isFile ? 'is a file' : `cannot be written (${codeOf(error)})`
    const sentence = `${directory} ${why}. Set --out to a writable directory.`
    throw new ExportError(sentence, { cause: error })
  }
}

async function storedManifest(directory: string): Promise<Manifest> {
  const file = join(directory, manifestFile)
  const text = await readFile(file, 'utf8').catch(undefinedIfMissing)
  if (text === undefined) return { files: [], headers: {} }
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new ExportError(
      `${file} was changed by another program, so Feedhouse cannot tell which files it wrote. Choose an empty directory.`,
      { cause: error },
    )
  }
}

/**
 * Throws an `ExportError` if one of the files exists, unless it is one of Feedhouse's own. Also throws
 * if a link takes the place of a directory, because files behind it are elsewhere.
 */
async function requireNoForeignFiles(
  directory: string,
  files: readonly string[],
  own: ReadonlySet<string>,
): Promise<void> {
  const foreign: string[] = []
  for (const parent of parentsOf([...files, ...own])) {
    const stats = await lstat(join(directory, parent)).catch(undefinedIfMissing)
    if (stats?.isSymbolicLink()) foreign.push(parent)
  }
  for (const file of files)
    if (!own.has(file) && (await fileExists(join(directory, file)))) foreign.push(file)
  if (foreign.length > 0) throw foreignFiles(directory, foreign)
}

/** Returns all directories that the files are in, at any depth. */
function parentsOf(files: readonly string[]): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const file of files) {
    let parent = dirname(file)
    for (; parent !== '.' && !parents.has(parent); parent = dirname(parent)) parents.add(parent)
  }
  return parents
}

function foreignFiles(directory: string, files: readonly string[]): ExportError {
  const named = files.slice(0, maxNamedFiles).join(', ')
  const more = files.length > maxNamedFiles ? ` and ${files.length - maxNamedFiles} more` : ''
  return new ExportError(
    `${directory} has files that Feedhouse did not write and would overwrite: ${named}${more}. Move them elsewhere, or choose another directory.`,
  )
}

function notWritten(path: string, error: unknown): ExportError {
  const code = codeOf(error)
  const why = code === 'ENOSPC' ? 'the disk is full' : code
  return new ExportError(
    `${path} cannot be written (${why}). Existing files were kept; the next export continues from here.`,
    { cause: error },
  )
}

/** Replaces a file atomically, and creates its parent directories. */
async function replaceFile(directory: string, file: string, bytes: Uint8Array): Promise<void> {
  const target = join(directory, file)
  const temporary = join(directory, newFiles, randomUUID())
  const write = async () => {
    await writeFile(temporary, bytes)
    await rename(temporary, target)
  }
  try {
    // Most files are written to directories that exist.
    await write().catch(async (error: unknown) => {
      undefinedIfMissing(error)
      await mkdir(dirname(temporary), { recursive: true })
      await mkdir(dirname(target), { recursive: true })
      await write()
    })
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw notWritten(target, error)
  }
}

/** Removes a file, and its parent directories if they become empty. */
async function removeFile(directory: string, file: string): Promise<void> {
  await rm(join(directory, file), { force: true })
  for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
    try {
      await rmdir(join(directory, parent))
    } catch {
      // The directory is not empty, or no longer exists.
      return
    }
  }
}

async function stampOf(directory: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    const stats = await lstat(join(directory, file)).catch(undefinedIfMissing)
    hash.update(`${file} ${stats?.size} ${stats && Math.trunc(stats.mtimeMs)} ${stats?.ino}\n`)
  }
  return hash.digest('base64url')
}

async function fileExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(undefinedIfMissing)) !== undefined
}

async function isSame(path: string, bytes: Uint8Array): Promise<boolean> {
  const stats = await stat(path).catch(undefinedIfMissing)
  return stats?.size === bytes.length && (await readFile(path)).equals(bytes)
}

/** For a promise's `catch`: rejects with any error except that the file does not exist. */
function undefinedIfMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
