/** A year in which the website's host is known to be the organisation's; part of every id for ever. */
const year = 2026

/** An id (RFC 4151) that stays the same whatever becomes of title, date and address. */
export function tagUri(idHost: string, name: string): string {
  return `tag:${idHost},${year}:${name}`
}
