import type { Front } from '../http/front/publishing.ts'

/** Wraps a front, so that everything that a site has published can be retired at once. */
export function createRetirableFront(
  front: Front,
  name: string,
): Front & {
  /** Retires the site's responses, and ignores all that it publishes from then on. */
  readonly retireAll: () => void
} {
  let isRetired = false
  return {
    publish(...published) {
      if (!isRetired) front.publish(...published)
    },
    retire(key) {
      if (!isRetired) front.retire(key)
    },
    retireSite(site) {
      if (!isRetired) front.retireSite(site)
    },
    setLinks(...links) {
      if (!isRetired) front.setLinks(...links)
    },
    remember(...remembered) {
      if (!isRetired) front.remember(...remembered)
    },
    announce(...announced) {
      if (!isRetired) front.announce(...announced)
    },
    onUse: front.onUse,
    retireAll() {
      if (!isRetired) front.retireSite(name)
      isRetired = true
    },
  }
}
