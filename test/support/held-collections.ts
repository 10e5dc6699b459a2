import type { FeedResource } from '../../src/records/resources.ts'
import { collectionsOf, minuteMs, sampleNews } from './collections.ts'
import type { FakeClock } from './fake-clock.ts'
import { happening } from './happening.ts'

export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Starts collections, reads everything from a website, and then changes the website. */
export async function changing(
  resources: readonly FeedResource[],
  items: { readonly [R in FeedResource]?: readonly unknown[] },
  after: { readonly [R in FeedResource]?: readonly unknown[] },
) {
  const parts = collectionsOf({ resources })
  const { collections, clock, website } = parts
  website.items = items
  collections.start()
  await clock.advance(0)
  const before = new Map(resources.map((resource) => [resource, collections.copyOf(resource)]))
  Object.assign(website.items, after)
  await clock.advance(6 * minuteMs)
  const heldOf = (resource: FeedResource, from = collections) =>
    from.states().find((state) => state.resource === resource)?.kept?.held
  return { ...parts, before, heldOf }
}

/**
 * Advances the clock, and reads the website at the given interval instead of every five minutes.
 */
export async function pass(clock: FakeClock, ms: number, stepMs = 2 * hourMs): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.leap(stepMs - 6_000)
    await clock.advance(6_000)
  }
}

export const few = sampleNews.slice(0, 3)
export const events = Array.from({ length: 20 }, (_, index) =>
  happening(index + 1, '2026-03-20', '2026-03-20'),
)
