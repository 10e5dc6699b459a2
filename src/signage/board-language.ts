/* Messages and date formats in a board's language. */
import type { PluralForms } from '../records/messages.ts'
import type { BoardMessages } from './messages/en.ts'

/**
 * Language (BCP 47) of a board, with its messages. The page contains the messages as data, because
 * browsers cannot load their modules.
 */
export type BoardLanguage = { readonly lang: string; readonly words: BoardMessages }

/** Replaces placeholders in a text, such as `{time}`. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}

/** Selects the plural form for a number. */
export function pluralForm(forms: PluralForms, count: number, lang: string): string {
  return forms[new Intl.PluralRules(lang).select(count)] ?? forms.other
}

/** Cached formats, 20 KB each, least recently used first. */
const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 200

/** Returns a cached format, because creating one is slow. */
export function formatOf(lang: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([lang, options])
  const format = formats.get(name) ?? new Intl.DateTimeFormat(lang, options)
  formats.delete(name)
  formats.set(name, format)
  const [oldest] = formats.size > maxFormats ? formats.keys() : []
  if (oldest !== undefined) formats.delete(oldest)
  return format
}
