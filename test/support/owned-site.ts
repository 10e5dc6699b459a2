import { ownerOf } from '../../src/app/site-shares.ts'

/** Returns the name of a site that one of the members owns. */
export function siteOwnedBy(member: string, members: readonly string[], prefix = 'site'): string {
  for (let count = 1; ; count += 1) {
    const name = `${prefix}-${count}`
    if (ownerOf(name, members) === member) return name
  }
}
