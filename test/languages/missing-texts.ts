import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Missing texts of a message file. Each text is named by its key: `navigation.calendar`. */
export type Lack = {
  /** Path relative to the source folder. */
  readonly file: string
  readonly isMissing: boolean
  /** All texts if the file itself is missing. */
  readonly missing: readonly string[]
  /** Texts that English does not have. */
  readonly superfluous: readonly string[]
  /** Texts that are the same as in English, which may be correct. */
  readonly same: readonly string[]
}

/** Returns the missing texts of each of a language's message files below a source folder. */
export async function missingTexts(source: string, language: string): Promise<readonly Lack[]> {
  const files = globSync('**/messages/**/en.ts', { cwd: source }).toSorted()
  return Promise.all(
    files.map(async (english): Promise<Lack> => {
      const file = join(english, '..', `${language}.ts`)
      const [expected, texts] = await Promise.all(
        [english, file].map((each) => textsOf(source, each)),
      )
      const keys = [...(expected?.keys() ?? [])]
      const shared = keys.filter((key) => texts?.has(key))
      return {
        file,
        isMissing: texts === undefined,
        missing: keys.filter((key) => !texts?.has(key)),
        superfluous: [...(texts?.keys() ?? [])].filter((key) => !expected?.has(key)),
        same: shared.filter((key) => {
          const text = writtenOut(texts?.get(key))
          return (
            text !== undefined && /\p{L}{2}/u.test(text) && text === writtenOut(expected?.get(key))
          )
        }),
      }
    }),
  )
}

/** Returns the texts in a file by key, or undefined if there is no such file. */
async function textsOf(
  source: string,
  file: string,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  if (globSync(file, { cwd: source }).length === 0) return undefined
  const exported: Readonly<Record<string, unknown>> = await import(
    pathToFileURL(join(source, file)).href
  )
  const messages = Object.values(exported).filter((each) => typeof each === 'object')
  return new Map(messages.flatMap((each) => textsIn(each, [])))
}

function textsIn(
  messages: unknown,
  keys: readonly string[],
): readonly (readonly [string, unknown])[] {
  if (typeof messages !== 'object' || messages === null || isPluralForms(messages)) {
    return [[keys.join('.'), messages]]
  }
  return Object.entries(messages).flatMap(([key, each]) => textsIn(each, [...keys, key]))
}

/** Returns true for the plural forms of one text. Languages have different numbers of them. */
function isPluralForms(messages: object): boolean {
  return 'other' in messages && !Object.keys(messages).some((key) => !pluralCategories.has(key))
}

const pluralCategories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Returns a text with sample values, or undefined if it does not accept them. */
function writtenOut(text: unknown): string | undefined {
  if (typeof text !== 'function') return JSON.stringify(text)
  try {
    return JSON.stringify(text(...Array.from({ length: text.length }, () => sampleValue)))
  } catch {
    return undefined
  }
}

/** Can be used as a number, a text, a list, or a function that returns a text. */
const sampleValue: unknown = Object.assign((text: unknown) => text, {
  toString: () => '2',
  *[Symbol.iterator]() {
    yield '1'
    yield '2'
  },
})
