/**
 * Where a site is, as requests name it: its host, and the name below it or nothing. Whatever scheme a
 * proxy speaks, and the port that goes without saying, makes no difference.
 */
export function mountPointFrom(publicUrl: string): {
  readonly host: string
  readonly name: string
} {
  const { host, pathname } = new URL(publicUrl)
  return { host: hostOf(host), name: pathname.replace(/\/$/, '') }
}

/** The host of a `Host` header or an address, one for all that mean the same. */
export function hostOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(?=:|$)/, '')
}
