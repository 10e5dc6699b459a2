import { extname } from 'node:path'
import type { Header } from './export-manifest.ts'

/** A file with its response headers. */
export type PublishedFile = {
  /** Path under the public URL, including the leading slash. */
  readonly path: string
  /** Path relative to the directory. */
  readonly file: string
  readonly headers: readonly Header[]
}

/** Headers for a single path, or for all paths under a directory if `isBelow` is true. */
export type HeaderRule = {
  readonly path: string
  readonly isBelow: boolean
  /** File at that path. */
  readonly file: string
  /** Content types by file extension, including the dot. */
  readonly types: ReadonlyMap<string, string>
  /** Other headers, which are the same for all files. */
  readonly headers: readonly Header[]
}

/** Headers that hosts set themselves or that only apply to a single response. */
const responseOnly = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'transfer-encoding',
  'vary',
  'x-request-id',
  'board-time',
  'board-read',
  'board-interval',
])

/** Usual capitalization of header names, which `fetch` returns in lower case. */
const spellings: Readonly<Record<string, string>> = {
  etag: 'ETag',
  'x-xss-protection': 'X-XSS-Protection',
}

/** Returns the response headers that a host must send with the file. */
export function headersToKeep(headers: Headers): readonly Header[] {
  return [...headers]
    .filter(([name]) => !responseOnly.has(name))
    .map(([name, value]) => [spellings[name] ?? capitalized(name), value])
}

export function headerOf(headers: readonly Header[], name: string): string {
  return headers.find(([each]) => each === name)?.[1] ?? ''
}

/**
 * Returns one rule for each directory, and one for each path outside the directories. At most one rule
 * applies to a path, because some hosts combine the headers from several rules.
 */
export function headerRules(
  files: readonly PublishedFile[],
  directories: readonly string[],
): readonly HeaderRule[] {
  const groups = new Map<string, PublishedFile[]>()
  for (const published of files) {
    const { path } = published
    const directory = directories.find((each) => path.startsWith(each))
    const group = groups.get(directory ?? path) ?? []
    group.push(published)
    groups.set(directory ?? path, group)
  }
  return [...groups]
    .map(([path, group]) => ruleOf(path, group, directories.includes(path)))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function ruleOf(path: string, group: readonly PublishedFile[], isBelow: boolean): HeaderRule {
  const [first] = group
  const types = group.map(
    ({ file, headers }) => [extname(file), headerOf(headers, 'Content-Type')] as const,
  )
  const isCommon = ([name, value]: Header) =>
    name !== 'Content-Type' && group.every(({ headers }) => headerOf(headers, name) === value)
  return {
    path,
    isBelow,
    types: new Map(types),
    file: first?.file ?? '',
    headers: (first?.headers ?? []).filter(isCommon),
  }
}

function capitalized(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}
