import { create } from 'content-disposition'

const maxNameLength = 100

/** Returns the header value (RFC 6266). `Fire Dept: Events` becomes `Fire Dept - Events.ics`. */
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

/** Removes characters that are special on some file systems. */
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
