import type { SiteSettings } from './config.ts'
import { identityFrom } from '../feeds/identity.ts'
import { nameOf, type Site } from '../feeds/site.ts'

/** Returns the settings that feeds and pages use. */
export function siteFromSettings(
  { name: configured, url, timeZone, links, places, databases, identity = {} }: SiteSettings,
  published: Pick<Site, 'idHost' | 'publicUrl' | 'publicFeedIds' | 'hubs'>,
): Site {
  const name = nameOf({ name: configured, url })
  const shown = { name, identity: identityFrom(identity, name) }
  return { ...published, ...shown, url, timeZone, links, places, databases }
}
