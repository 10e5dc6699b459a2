import type { FeedOption, ValueType } from './option.ts'

const maxIds = 20

export function wholeNumber(min: number, max: number): ValueType<number> {
  return {
    read: ([text = '']) => numberIn(text, min, max),
    format: String,
    expected: () => `a whole number from ${min} to ${max}`,
  }
}

/** Creates a value type for a list of at most `maxCount` numbers. */
export function wholeNumbers(
  max: number,
  maxCount: number,
  example: string,
): ValueType<readonly number[]> {
  return {
    isList: true,
    read(texts) {
      const numbers = texts.map((text) => numberIn(text, 0, max))
      const valid = numbers.filter((number) => number !== undefined)
      return texts.length <= maxCount && valid.length === texts.length
        ? ascending(valid)
        : undefined
    },
    format: String,
    expected: (name, { length }) =>
      length === 1
        ? `a whole number from 0 to ${max}`
        : `at most ${maxCount} comma-separated whole numbers from 0 to ${max}, like ${name}=${example}`,
  }
}

export const ids: ValueType<readonly number[]> = {
  isList: true,
  read: (texts) =>
    texts.length <= maxIds && texts.every((text) => /^[1-9]\d{0,14}$/.test(text))
      ? ascending(texts.map(Number))
      : undefined,
  format: String,
  expected: (name) => `1 to ${maxIds} comma-separated numbers, like ${name}=2,5`,
}

/** Creates an option that selects records by ids, such as those of calendars. Forms list them by name. */
export function idsOption(name: string): FeedOption<readonly number[]> {
  return { name, type: ids, defaultValue: [], selectsRecords: true }
}

export function oneOf<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  return {
    read: ([text]) => words.find((word) => word === text),
    format: (word) => word,
    expected: () => words.join(' or '),
  }
}

/** Creates a value type for some of these words, in this order. An empty string means all words. */
export function someOf<Word extends string>(words: readonly Word[]): ValueType<readonly Word[]> {
  return {
    read([text = '']) {
      if (text === '') return words
      const chosen = text.split(',')
      const known = words.filter((word) => chosen.includes(word))
      return known.length === new Set(chosen).size ? known : undefined
    },
    format: String,
    expected: () => `one or more of ${words.join(', ')}`,
  }
}

export const flag: ValueType<boolean> = {
  read: ([text = '']) => (/^[01]$/.test(text) ? text === '1' : undefined),
  format: (value) => (value ? '1' : '0'),
  expected: () => '0 or 1',
}

/** Creates a value type for strings that `read` accepts and normalizes. */
export function text(
  read: (text: string) => string | undefined,
  expected: string,
): ValueType<string> {
  return { read: ([given = '']) => read(given), format: (value) => value, expected: () => expected }
}

function numberIn(digits: string, min: number, max: number): number | undefined {
  const number = /^\d{1,16}$/.test(digits) ? Number(digits) : NaN
  return number >= min && number <= max ? number : undefined
}

function ascending(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}
