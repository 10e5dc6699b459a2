import type { Site } from '../../feeds/feed.ts'
import { mountPointFrom } from '../../config/mount-point.ts'

/** What the paths of a site's pages begin with, where it shares its host; empty for nothing. */
export function basePathOf({ publicUrl }: Pick<Site, 'publicUrl'>): string {
  return mountPointFrom(publicUrl).name
}
