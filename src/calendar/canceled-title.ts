import { calendarMessages } from './messages.ts'

const words = [
  'cancell?ed',
  'cancelad[oa]s?',
  'suspendid[oa]s?',
  'abgesagt',
  'entfällt',
  'fällt aus',
  'annulée?s?',
].join('|')

const letter = '[\\p{L}\\p{N}]'

/** Matches one of the words at the start, at the end, or after punctuation: `Drill – CANCELED`. */
const canceled = new RegExp(
  `(?:^|(?<!\\bun)[^\\p{L}\\p{N}\\s])\\s*(?:${words})(?!${letter})` +
    `|(?<!${letter}|\\b(?:not|nicht|no|pas)\\s)(?:${words})[^\\p{L}\\p{N}]*$`,
  'iu',
)

export function saysCanceled(title: string): boolean {
  return canceled.test(title.normalize('NFC'))
}

/** Marks a text that contains the title of a canceled entry, unless the title says so itself. */
export function asCanceled(text: string, language: string, title = text): string {
  return saysCanceled(title) ? text : calendarMessages(language).canceled(text)
}
