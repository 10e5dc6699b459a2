import { z } from 'zod'
import {
  lastInstantFromSiteTime,
  readSiteDateTime,
  siteTimeAt,
  zonedTimeAt,
} from '../../records/site-time.ts'
import { cleanText } from '../../records/text.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'

/** A text that covers all boards of a site until it ends. Times are in milliseconds since the epoch. */
export type EmergencyText = {
  readonly title: string
  readonly text: string
  readonly since: number
  readonly until: number
}

/** The emergency text of a site, which all of its replicas show. */
export type EmergencyTexts = {
  /** Returns the text that boards show now. */
  readonly current: () => EmergencyText | undefined
  readonly onChange: (listener: () => void) => void
}

/** Changes the emergency text on all replicas. Rejects with a `StoreError` if the store is down. */
export type EmergencyEditor = {
  readonly current: EmergencyTexts['current']
  readonly show: (text: EmergencyText) => Promise<void>
  readonly clear: () => Promise<void>
}

export const maxEmergencyLengths = { title: 80, text: 300 }

/** A longer text is not an emergency, and would cover the boards if it were forgotten. */
const maxDays = 7
const dayMs = 24 * 60 * 60 * 1000

const stored = z.object({
  title: z.string(),
  text: z.string(),
  since: z.number(),
  until: z.number(),
})

/** Parses a stored text. Returns undefined for a text that this version cannot use. */
export function parseEmergencyText(value: string | undefined): EmergencyText | undefined {
  try {
    return stored.safeParse(JSON.parse(value ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Fields of the form. `until` is a date and time at the site, `2026-03-05T18:00`. */
export type EmergencyForm = {
  readonly title: string
  readonly text: string
  readonly until: string
}

export type EmergencyReading =
  | { readonly ok: true; readonly emergency: EmergencyText }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads the fields of the form. If clocks are set back and the end occurs twice, the last one counts. */
export function readEmergencyForm(
  form: EmergencyForm,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): EmergencyReading {
  const title = cleanText(form.title).replace(/\s+/g, ' ').trim()
  const text = cleanText(form.text).trim()
  const siteTime = readSiteDateTime(form.until)
  const until = siteTime === undefined ? NaN : lastInstantFromSiteTime(siteTime, timeZone)
  const { title: maxTitle, text: maxText } = maxEmergencyLengths
  const faults = [
    title === '' && 'Enter a title.',
    title.length > maxTitle && `The title must have at most ${maxTitle} characters.`,
    text.length > maxText && `The text must have at most ${maxText} characters.`,
    Number.isNaN(until) && 'Enter the date and time at which the text ends.',
    until <= now && 'The end must be in the future.',
    until > now + maxDays * dayMs && `The end must be within ${maxDays} days.`,
  ].filter((fault) => fault !== false)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, emergency: { title, text, since: now, until } }
}

/** Returns the text as an item, which boards show over everything else, and players like any other item. */
export function emergencyItem(
  { title, text, since, until }: EmergencyText,
  { timeZone }: { readonly timeZone: string },
): BoardItem {
  return boardItem({
    id: 'emergency',
    kind: 'emergency',
    role: 'emergency',
    title,
    text,
    when: '',
    start: siteTimeAt(since, timeZone),
    end: siteTimeAt(until, timeZone),
    startAt: zonedTimeAt(since, timeZone),
    endAt: zonedTimeAt(until, timeZone),
  })
}
