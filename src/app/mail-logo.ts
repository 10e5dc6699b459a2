import { systemClock, type TimeSource } from '../clock.ts'
import type { Site } from '../feeds/site.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import { logoWithContent } from '../site/settings-store.ts'
import type { Documents } from '../store/store.ts'
import { createSiteImages } from '../web/site-images.ts'

export type DrawLogo = () => Promise<Buffer | undefined>

/** Returns a function that draws the logo for emails, or the initials, as PNG. */
export function createMailLogo(
  site: Site,
  { fetch: fetchPicture }: Pick<PictureSource, 'fetch'>,
  clock: TimeSource,
): DrawLogo {
  return createSiteImages({ site, fetchPicture, clock }).icon
}

/** The same for a command. Never fetches a logo from another server. */
export async function storedMailLogo(site: Site, documents: Documents): Promise<DrawLogo> {
  const logo = await logoWithContent(documents, site.identity.logo)
  const shown = { ...site, identity: { ...site.identity, logo } }
  return createMailLogo(shown, { fetch: () => Promise.resolve(undefined) }, systemClock)
}
