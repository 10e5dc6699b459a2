import { mountPointFrom } from '../config/mount-point.ts'

/** Returns a site's path prefix, or an empty string if it does not have one. */
export function basePathOf({ publicUrl }: { readonly publicUrl: string }): string {
  return mountPointFrom(publicUrl).name
}

/** Returns the query parameters of a request target, which may be a path or an absolute URL. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start))
}

export function readId(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
