import type { Use } from './protocol.ts'
import type { UseCount } from './protocol.ts'

/** Distinct uses per report. Any beyond are dropped, which only makes metrics too low. */
const maxDistinct = 1_000

/** Counts uses until they are reported, so that one message covers many responses. */
export function createUseCounts() {
  const counts = new Map<string, { use: Use; count: number }>()
  return {
    add(use: Use): void {
      const { address, method, status, userAgent } = use
      const { key, link = '', route } = address
      const name = `${key} ${link} ${route} ${method} ${status} ${userAgent}`
      const known = counts.get(name)
      if (known) known.count += 1
      else if (counts.size < maxDistinct) counts.set(name, { use, count: 1 })
    },
    /** Returns the counts since the last call. */
    take(): readonly UseCount[] {
      const taken = [...counts.values()]
      counts.clear()
      return taken
    },
  }
}
