/* Reading the parameters of addresses. */

export type OptionsReading<T> =
  | { readonly ok: true; readonly options: T }
  | {
      readonly ok: false
      /** One plain sentence. */
      readonly reason: string
    }

const maxIds = 20

type NumberList = {
  readonly least: number
  readonly most: number
  readonly maxCount: number
  /** A list for the sentence that says what is wrong. */
  readonly example: string
}

/** Reads parameters and collects what is wrong with them. */
export function createParameters(query: URLSearchParams) {
  const faults: string[] = []

  function once(name: string): string | undefined {
    const [value, ...others] = query.getAll(name)
    if (others.length > 0) faults.push(`${name} is given more than once.`)
    return value
  }

  const listed = (name: string) => query.getAll(name).flatMap((list) => list.split(','))

  return {
    wholeNumber(name: string, least: number, most: number): number | undefined {
      const text = once(name)
      if (text === undefined) return undefined
      const number = wholeNumberFrom(text)
      if (number >= least && number <= most) return number
      faults.push(`${name} must be a whole number from ${least} to ${most}.`)
      return undefined
    },
    /** Ids with commas between, or each on its own, ascending; empty where there are none. */
    ids(name: string): readonly number[] {
      const texts = listed(name)
      if (texts.length <= maxIds && texts.every((text) => /^[1-9]\d{0,14}$/.test(text))) {
        return ascending(texts.map(Number))
      }
      faults.push(`${name} must be 1 to ${maxIds} numbers with commas between, like ${name}=2,5.`)
      return []
    },
    /** Whole numbers with commas between, or each on its own, ascending; empty where there are none. */
    wholeNumbers(name: string, { least, most, maxCount, example }: NumberList): readonly number[] {
      const texts = listed(name)
      const numbers = texts.map(wholeNumberFrom)
      if (texts.length <= maxCount && numbers.every((each) => each >= least && each <= most)) {
        return ascending(numbers)
      }
      const range = `from ${least} to ${most}`
      faults.push(
        texts.length === 1
          ? `${name} must be a whole number ${range}.`
          : `${name} must be at most ${maxCount} whole numbers ${range} with commas between, like ${name}=${example}.`,
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
    /** 1 for yes and 0 for no; undefined where there is none. */
    flag(name: string): boolean | undefined {
      const text = once(name)
      if (text !== undefined && !/^[01]$/.test(text)) faults.push(`${name} must be 0 or 1.`)
      return text === undefined ? undefined : text === '1'
    },
    reading<T>(options: T): OptionsReading<T> {
      const [reason] = faults
      return reason === undefined ? { ok: true, options } : { ok: false, reason }
    },
  }
}

function wholeNumberFrom(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : NaN
}

function ascending(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}
