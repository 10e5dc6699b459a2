import type { Site } from '../../feeds/site.ts'
import { mountPointFrom } from '../../config/mount-point.ts'

/** Returns the path prefix of a site that shares its host, or an empty string. */
export function basePathOf({ publicUrl }: Pick<Site, 'publicUrl'>): string {
  return mountPointFrom(publicUrl).name
}
