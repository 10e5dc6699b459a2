import { oneLine } from '../records/plain-text.ts'

/** Default title, because some clients reject an event without SUMMARY. */
export const untitled = 'Untitled'

export function titleFrom(html: string): string {
  return oneLine(html) || untitled
}

/** Returns `label: value`, or an empty string if the value is empty. */
export function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`
}

export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
