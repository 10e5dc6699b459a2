import { extname } from 'node:path'
import type { Header } from './export-manifest.ts'

/** What a host answers a file with. */
export type PublishedFile = {
  /** Below the public address, from the slash on. */
  readonly path: string
  /** Below the directory. */
  readonly file: string
  readonly headers: readonly Header[]
}

/** Headers of one path, or of all below it when it ends in a slash and `isBelow`. */
export type HeaderRule = {
  readonly path: string
  readonly isBelow: boolean
  /** The file of that one path. */
  readonly file: string
  /** Content types by the endings of files, with the dot. */
  readonly types: ReadonlyMap<string, string>
  /** All others that the files have in common. */
  readonly headers: readonly Header[]
}

/** What each host adds by itself, or is of one answer alone. */
const ofAnswers = new Set([
  ...['connection', 'content-encoding', 'content-length', 'date', 'etag', 'keep-alive'],
  ...['last-modified', 'transfer-encoding', 'vary', 'x-request-id'],
  ...['board-time', 'board-read', 'board-interval'],
])

/** As people write them: `fetch` says them in small letters. */
const spellings: Readonly<Record<string, string>> = {
  etag: 'ETag',
  'x-xss-protection': 'X-XSS-Protection',
}

/** Those of an answer that the file of it is to have. */
export function headersToKeep(headers: Headers): readonly Header[] {
  return [...headers]
    .filter(([name]) => !ofAnswers.has(name))
    .map(([name, value]) => [spellings[name] ?? spelled(name), value])
}

export function headerOf(headers: readonly Header[], name: string): string {
  return headers.find(([each]) => each === name)?.[1] ?? ''
}

/**
 * Rules that never apply two at a time, since some hosts join what several say: one for each path, but for
 * those below the directories, which have one together.
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
    ...{ path, isBelow, types: new Map(types) },
    file: first?.file ?? '',
    headers: (first?.headers ?? []).filter(isCommon),
  }
}

function spelled(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}
