import { oneLine } from '../records/plain-text.ts'

/** Shown where a record has no title: a client may refuse an event without SUMMARY. */
const untitled = 'Untitled'

export function titleFrom(html: string): string {
  return oneLine(html) || untitled
}

/** Nothing when there is no value. */
export function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`
}

export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
