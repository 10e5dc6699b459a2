import type { SiteSettings } from '../config/config.ts'
import { nameOf, type Site } from '../feeds/site.ts'

type PublishedSettings = Pick<SiteSettings, 'name' | 'url' | 'timeZone' | 'links' | 'places'>

/** Returns the settings that feeds and pages use. */
export function siteFromSettings(
  { name, url, timeZone, links, places }: PublishedSettings,
  published: Pick<Site, 'idHost' | 'publicUrl' | 'publicFeedIds' | 'hubs'>,
): Site {
  return { ...published, name: nameOf({ name, url }), url, timeZone, links, places }
}
