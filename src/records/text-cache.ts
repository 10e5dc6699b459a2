import { LRUCache } from 'lru-cache'

/**
 * Wraps a pure text function in a cache that is bounded by the total length of its keys and
 * results.
 */
export function cachedByText(
  work: (text: string, baseUrl: string) => string,
  maxCharacters: number,
): (text: string, baseUrl: string) => string {
  const kept = new LRUCache<string, string>({
    maxSize: maxCharacters,
    sizeCalculation: (result, name) => name.length + result.length,
  })
  return (text, baseUrl) => {
    const name = `${baseUrl} ${text}`
    const known = kept.get(name)
    if (known !== undefined) return known
    const made = work(text, baseUrl)
    kept.set(name, made)
    return made
  }
}
