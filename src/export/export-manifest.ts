import { z } from 'zod'

/** A header's name and value. */
export type Header = readonly [name: string, value: string]

/** What of a directory Feedhouse has written, and so may write over and remove. */
export type ExportManifest = {
  /** The host in the ids of all files. */
  readonly idHost?: string | undefined
  /** Paths below the directory, sorted. */
  readonly files: readonly string[]
  /** The headers of those that are not asked for again. */
  readonly headers: Readonly<Record<string, readonly Header[]>>
}

/** Below the directory, and not beside it. */
const file = z.string().regex(/^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/)

const manifestSchema = z.object({
  feedhouse: z.literal('export'),
  idHost: z.string().optional(),
  files: z.array(file),
  headers: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
})

export const emptyManifest: ExportManifest = { files: [], headers: {} }

/** Undefined for what is none. */
export function readManifest(text: string): ExportManifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    // It throws for what is not JSON.
    return undefined
  }
}

export function manifestText({ idHost, files, headers }: ExportManifest): string {
  const sorted = files.toSorted()
  return `${JSON.stringify({ feedhouse: 'export', idHost, files: sorted, headers }, null, 1)}\n`
}
