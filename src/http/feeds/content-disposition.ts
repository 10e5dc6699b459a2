import { create } from 'content-disposition'

const maxNameLength = 100

/**
 * What a file is called where it is saved (RFC 6266), after its title: `Fire Dept: Events` becomes
 * `Fire Dept - Events.ics`. Shown where it can be, unless it is to be saved.
 */
export function contentDisposition(
  title: string,
  extension: string,
  { isDownload }: { readonly isDownload: boolean },
): string {
  const name = fileName(title)
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '')
  const ascii = fileName(letters.replace(/[^ -~]/g, '_'))
  return create(`${name}.${extension}`, {
    type: isDownload ? 'attachment' : 'inline',
    fallback: `${ascii}.${extension}`,
  })
}

/** Removes characters that are special on some file system. */
function fileName(title: string): string {
  const name = title
    .replace(/\s*:\s+/g, ' - ')
    .replace(/[\p{C}\\/:*?"<>|%]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxNameLength)
    .replace(/\p{Surrogate}$|^[. ]+|[. ]+$/gu, '')
  return name === '' ? 'feed' : name
}
