/* Messages and date formats in a board's language. */

/** @import { PluralForms } from '../records/messages.ts' */
/** @import { BoardMessages } from './messages/en.ts' */

/**
 * Language (BCP 47) of a board, with its messages. The page contains the messages as data, because
 * browsers cannot load their modules.
 * @typedef {{ readonly lang: string, readonly words: BoardMessages }} BoardLanguage
 */

/**
 * Replaces placeholders in a text, such as `{time}`.
 * @type {(text: string, values: Readonly<Record<string, string | number>>) => string}
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}

/**
 * Selects the plural form for a number.
 * @type {(forms: PluralForms, count: number, lang: string) => string}
 */
export function pluralForm(forms, count, lang) {
  return forms[new Intl.PluralRules(lang).select(count)] ?? forms.other
}

/**
 * Cached formats, 20 KB each, least recently used first.
 * @type {Map<string, Intl.DateTimeFormat>}
 */
const formats = new Map()
const maxFormats = 200

/**
 * Returns a cached format, because creating one is slow.
 * @type {(lang: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat}
 */
export function formatOf(lang, options) {
  const name = JSON.stringify([lang, options])
  const format = formats.get(name) ?? new Intl.DateTimeFormat(lang, options)
  formats.delete(name)
  formats.set(name, format)
  const [oldest] = formats.size > maxFormats ? formats.keys() : []
  if (oldest !== undefined) formats.delete(oldest)
  return format
}
