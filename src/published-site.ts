import type { SiteSettings } from './config.ts'
import { nameOf, type Site } from './feeds/feed.ts'

/** A website as its feeds and pages know it. */
export function publishedSite(
  { name, url, timeZone, links }: Pick<SiteSettings, 'name' | 'url' | 'timeZone' | 'links'>,
  published: Pick<Site, 'idHost' | 'publicUrl' | 'publicFeedIds' | 'hubs'>,
): Site {
  return { ...published, name: nameOf({ name, url }), url, timeZone, links }
}
