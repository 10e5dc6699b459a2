import type { LinkEntry } from '../../links/link-registry.ts'
import type { LinkClient } from '../../links/stored-links.ts'
import { clientFamily, type ClientFamily } from '../monitoring/client-family.ts'

const clients: Readonly<Partial<Record<ClientFamily, LinkClient>>> = {
  'Apple Calendar': 'Apple',
  Google: 'Google',
  Outlook: 'Outlook',
  Thunderbird: 'Thunderbird',
  'feed reader': 'reader',
  screen: 'screen',
}

/** Records the use of a link, for the list on the admin page. */
export function noteUse(link: LinkEntry, at: number, userAgent: string | undefined): void {
  link.noteUse({ at, client: clients[clientFamily(userAgent)] ?? 'other' })
}
