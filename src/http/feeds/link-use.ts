import type { LinkClient } from '../../links/link-client.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import { clientFamily, type ClientFamily } from '../monitoring/client-family.ts'

const clients: Readonly<Partial<Record<ClientFamily, LinkClient>>> = {
  'Apple Calendar': 'Apple',
  Google: 'Google',
  Outlook: 'Outlook',
  Thunderbird: 'Thunderbird',
  'feed reader': 'reader',
  screen: 'screen',
}

/** That something was answered by a link, for whoever looks at what it is used with. */
export function noteUse(link: LinkEntry, at: number, userAgent: string | undefined): void {
  link.use = { at, client: clients[clientFamily(userAgent)] ?? 'other' }
}
