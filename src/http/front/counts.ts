/** Counts by key. Remembers only counts above zero. */
export function createCounts() {
  const counts = new Map<string, number>()
  return {
    get: (key: string) => counts.get(key) ?? 0,
    add(key: string, change: number): void {
      const count = (counts.get(key) ?? 0) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}
