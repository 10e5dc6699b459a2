/* Reading the parameters of addresses. */

export type OptionsReading<T> =
  | { readonly ok: true; readonly options: T }
  | {
      readonly ok: false
      /** One plain sentence. */
      readonly reason: string
    }

const maxNumbers = 20

/** Reads parameters and collects what is wrong with them. */
export function createParameters(query: URLSearchParams) {
  const faults: string[] = []

  function once(name: string): string | undefined {
    const [value, ...others] = query.getAll(name)
    if (others.length > 0) faults.push(`${name} is given more than once.`)
    return value
  }

  return {
    wholeNumber(name: string, least: number, most: number): number | undefined {
      const text = once(name)
      if (text === undefined) return undefined
      const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN
      if (number >= least && number <= most) return number
      faults.push(`${name} must be a whole number from ${least} to ${most}.`)
      return undefined
    },
    numbers(name: string): readonly number[] {
      const texts = query.getAll(name).flatMap((list) => list.split(','))
      if (texts.length <= maxNumbers && texts.every((text) => /^[1-9]\d{0,14}$/.test(text))) {
        return [...new Set(texts.map(Number))].sort((a, b) => a - b)
      }
      faults.push(
        `${name} must be 1 to ${maxNumbers} numbers with commas between, like ${name}=2,5.`,
      )
      return []
    },
    /** Several of these words with commas between; all of them where there is none. */
    someOf<T extends string>(name: string, words: readonly T[]): readonly T[] {
      const text = once(name)
      if (text === undefined || text === '') return words
      const chosen = text.split(',')
      const known = words.filter((word) => chosen.includes(word))
      if (known.length === new Set(chosen).size) return known
      faults.push(`${name} must be some of ${words.join(', ')}.`)
      return words
    },
    /** A text that passes a test. */
    text(name: string, isFine: (text: string) => boolean, what: string): string | undefined {
      const text = once(name)
      if (text === undefined || isFine(text)) return text
      faults.push(`${name} must be ${what}.`)
      return undefined
    },
    /** The first word where there is none. */
    oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
      const text = once(name) ?? words[0]
      const word = words.find((known) => known === text)
      if (word === undefined) faults.push(`${name} must be ${words.join(' or ')}.`)
      return word ?? words[0]
    },
    reading<T>(options: T): OptionsReading<T> {
      const [reason] = faults
      return reason === undefined ? { ok: true, options } : { ok: false, reason }
    },
  }
}
