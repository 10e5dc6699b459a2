/** Longer texts are rarely repeated. */
const maxLength = 100

let known: Map<string, string> | undefined

/**
 * Makes equal short texts share memory while `read` reads records. Names, places and times are
 * repeated in hundreds of records.
 */
export function sharingTexts<T>(read: () => T): T {
  const before = known
  known = new Map()
  try {
    return read()
  } finally {
    known = before
  }
}

/** Returns the string of an equal text that was read before, if there is one. */
export function sharedText(text: string): string {
  if (!known || text.length > maxLength) return text
  const shared = known.get(text)
  if (shared === undefined) known.set(text, text)
  return shared ?? text
}
