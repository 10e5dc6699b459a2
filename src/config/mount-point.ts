/** Returns the host and path prefix of a site. Ignores scheme and default port. */
export function mountPointFrom(publicUrl: string) {
  const { host, pathname } = new URL(publicUrl)
  return { host: hostOf(host), name: pathname.replace(/\/$/, '') }
}

/** Returns the normalized host of a `Host` header or URL. */
export function hostOf(text: string): string {
  // A fast path, because this runs for every request.
  if (/^[a-z\d.-]*[a-z\d]$/.test(text)) return text
  return text
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(?=:|$)/, '')
}
