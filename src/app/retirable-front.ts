import type { Front } from '../http/front/publishing.ts'

/**
 * Wraps a front for a site that replaces another one or may be replaced. It keeps what the site publishes
 * until the site is activated, and ignores what it publishes after it was retired.
 */
export function createRetirableFront(
  front: Front,
  name: string,
): Front & {
  /** Publishes what the site has published so far, and from then on everything at once. */
  readonly activate: () => void
  /** Retires the site's responses, and ignores all that it publishes from then on. */
  readonly retireAll: () => void
} {
  let state: 'waiting' | 'active' | 'retired' = 'waiting'
  const waiting: (() => void)[] = []

  function pass(work: () => void): void {
    if (state === 'active') work()
    else if (state === 'waiting') waiting.push(work)
  }

  return {
    publish: (...published) => pass(() => front.publish(...published)),
    retire: (key) => pass(() => front.retire(key)),
    retireSite: (site) => pass(() => front.retireSite(site)),
    setLinks: (...links) => pass(() => front.setLinks(...links)),
    remember: (...remembered) => pass(() => front.remember(...remembered)),
    announce: (...announced) => pass(() => front.announce(...announced)),
    onUse: front.onUse,
    done: front.done,
    activate() {
      if (state !== 'waiting') return
      state = 'active'
      for (const work of waiting.splice(0)) work()
    },
    retireAll() {
      if (state === 'active') front.retireSite(name)
      state = 'retired'
      waiting.length = 0
    },
  }
}
