/** LRU cache of a pure text function, bounded by the characters in its keys and results. */
export function cachedByText(
  work: (text: string, baseUrl: string) => string,
  maxCharacters: number,
): (text: string, baseUrl: string) => string {
  const kept = new Map<string, string>()
  let characters = 0
  return (text, baseUrl) => {
    const name = `${baseUrl} ${text}`
    const known = kept.get(name)
    if (known !== undefined) {
      kept.delete(name)
      kept.set(name, known)
      return known
    }
    const made = work(text, baseUrl)
    kept.set(name, made)
    characters += name.length + made.length
    for (const [oldest, result] of kept) {
      if (characters <= maxCharacters) break
      kept.delete(oldest)
      characters -= oldest.length + result.length
    }
    return made
  }
}
