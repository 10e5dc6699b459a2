import { expect, test } from 'vitest'
import type { CollectionState } from '../../../src/collections/collection-state.ts'
import { usageOf } from '../../../src/collections/status/status-sentences.ts'

test.for([
  [140_000, 'every 2 minutes.'],
  [150_000, 'every 3 minutes.'],
] as const)('rounds an interval of %s ms while calls are tight: %s', ([intervalMs, every]) => {
  const usage = { used: 950, max: 1000 }
  const collections = [
    { intervalMs: 60_000 },
    { intervalMs },
  ] as unknown as readonly CollectionState[]
  const { sentence } = usageOf({ budget: { minute: usage, day: usage }, collections })
  expect(sentence).toContain(every)
})
