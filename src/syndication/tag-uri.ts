/** A year when the organization owned the host; part of every id, so it must never change. */
const year = 2026

/** Returns an id (RFC 4151) that does not depend on title, date or URL. */
export function tagUri(idHost: string, name: string): string {
  return `tag:${idHost},${year}:${name}`
}
