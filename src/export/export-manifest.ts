import { z } from 'zod'

/** Name and value of a header. */
export type Header = readonly [name: string, value: string]

/** List of files that Feedhouse wrote to a directory and may overwrite or remove. */
export type ExportManifest = {
  /** Host used in all ids. */
  readonly idHost?: string | undefined
  /** Paths relative to the directory, sorted. */
  readonly files: readonly string[]
  /** Headers for files that never change and are not requested again. */
  readonly headers: Readonly<Record<string, readonly Header[]>>
}

/** Path that stays within the directory. */
const file = z.string().regex(/^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/)

const manifestSchema = z.object({
  feedhouse: z.literal('export'),
  idHost: z.string().optional(),
  files: z.array(file),
  headers: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
})

export const emptyManifest: ExportManifest = { files: [], headers: {} }

/** Parses a manifest; returns undefined if it is invalid. */
export function readManifest(text: string): ExportManifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    // Invalid JSON.
    return undefined
  }
}

export function manifestText({ idHost, files, headers }: ExportManifest): string {
  const sorted = files.toSorted()
  return `${JSON.stringify({ feedhouse: 'export', idHost, files: sorted, headers }, null, 1)}\n`
}
