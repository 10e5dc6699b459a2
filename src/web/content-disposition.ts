import { create } from 'content-disposition'
import { LRUCache } from 'lru-cache'
import { withoutAccents } from '../search/accents.ts'
import { BadOption } from './errors.ts'

const maxNameLength = 100

type Type = 'attachment' | 'inline'

const headerValues = new LRUCache<string, string, { title: string; extension: string; type: Type }>(
  {
    max: 200,
    memoMethod(_key, _stale, { context: { title, extension, type } }) {
      const name = fileName(title)
      const ascii = fileName(withoutAccents(name).replace(/[^ -~]/g, '_'))
      return create(`${name}.${extension}`, { type, fallback: `${ascii}.${extension}` })
    },
  },
)

/** Returns the header value (RFC 6266). `Fire Dept: Events` becomes `Fire Dept - Events.ics`. */
export function contentDisposition(title: string, extension: string, { isDownload = false } = {}) {
  const type = isDownload ? 'attachment' : 'inline'
  return headerValues.memo(`${type} ${extension} ${title}`, { context: { title, extension, type } })
}

/** Reads the option that makes browsers save a file. Throws `BadOption` for an invalid value. */
export function readDownload(query: URLSearchParams): boolean {
  const download = query.get('download') ?? '0'
  if (!['0', '1'].includes(download)) throw new BadOption('download must be 0 or 1.')
  return download === '1'
}

/** Removes characters that are special on some file systems. */
function fileName(title: string): string {
  const name = title
    .replace(/(?<!\s)\s*:\s+/g, ' - ')
    .replace(/[\p{C}\\/:*?"<>|%]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxNameLength)
    .replace(/\p{Surrogate}$|^[. ]+|(?<![. ])[. ]+$/gu, '')
  return name === '' ? 'feed' : name
}
