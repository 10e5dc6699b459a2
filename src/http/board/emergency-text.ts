import { z } from 'zod'
import { dayMs, every, type Clock } from '../../clock.ts'
import { parsedJson } from '../../json.ts'
import type { Logger } from '../../log.ts'
import { readSiteDateTime } from '../../records/read-site-time.ts'
import { lastInstantFromSiteTime, siteTimeAt, zonedTimeAt } from '../../records/site-time.ts'
import { cleanText } from '../../records/text.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import { createStoreAccess } from '../../store/store-error.ts'
import { loadChanges, type Store } from '../../store/store.ts'
import type { FormReading } from '../admin/requests.ts'

const times = { since: z.number(), until: z.number() }
const emergencyText = z.object({ title: z.string(), text: z.string(), ...times })

/** A text that covers all boards of a site until it ends. Times are in milliseconds since the epoch. */
type EmergencyText = Readonly<z.infer<typeof emergencyText>>

type EmergencyStore = ReturnType<typeof createEmergencyStore>

/** The emergency text of a site, which all of its replicas show. */
export type EmergencyTexts = Pick<EmergencyStore, 'current' | 'onChange'>

/** Changes the emergency text on all replicas. Rejects with a `StoreError` if the store is down. */
export type EmergencyEditor = Pick<EmergencyStore, 'current' | 'show' | 'clear'>

export const maxEmergencyLengths = { title: 80, text: 300 }

/** An emergency does not last longer, and a forgotten text would keep covering the boards. */
const maxDays = 7

/** Parses a stored text. Returns undefined for a text that this version cannot use. */
export function parseEmergencyText(value: string | undefined): EmergencyText | undefined {
  return emergencyText.safeParse(parsedJson(value ?? '')).data
}

/**
 * Reads the form. `until` is in the site's time zone, like `2026-03-05T18:00`. If that time occurs
 * twice, uses the later one.
 */
export function readEmergencyForm(
  form: { readonly title: string; readonly text: string; readonly until: string },
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): FormReading<{ readonly emergency: EmergencyText }> {
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

/**
 * Returns the text as an item. Boards show it on top of everything else, and players like any other
 * item.
 */
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

/** Poll interval. A change on one replica reaches the other replicas within this time. */
const pollMs = 2_000

const emergencyDocument = { bucket: 'settings', id: 'emergency' }

export function createEmergencyStore(
  store: Pick<Store, 'documents' | 'version'>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
) {
  const { documents } = store
  const access = createStoreAccess(log)
  const { bucket, id } = emergencyDocument
  const listeners: (() => void)[] = []
  let known: { readonly value?: string | undefined; readonly text?: EmergencyText | undefined } = {}

  async function load(): Promise<boolean> {
    const { value } = (await documents.get(bucket, id)) ?? {}
    if (value === known.value) return true
    known = { value, text: parseEmergencyText(value) }
    for (const listener of listeners) listener()
    return true
  }

  const pull = () => access.use('the emergency text', load, false)
  const pullChanges = loadChanges(store, pull)
  /** Returns true if a text has ended, which does not change the store. */
  const hasEnded = () => known.text !== undefined && clock.now() >= known.text.until

  async function write(text: EmergencyText | undefined): Promise<void> {
    const value = text && JSON.stringify(text)
    const expiry = text && { expiresAt: text.until }
    await documents.write([{ bucket, id, value, ...expiry }])
    await load()
  }

  return {
    /** Returns the text that boards currently show. It ends on time even if the store is down. */
    current: () => (known.text && clock.now() < known.text.until ? known.text : undefined),
    onChange: (listener: () => void) => void listeners.push(listener),
    pull,
    /** Loads changes made by other replicas until aborted. */
    poll: (signal: AbortSignal) =>
      every(clock, pollMs, signal, () => (hasEnded() ? pull() : pullChanges())),
    show: (text: EmergencyText) => write(text),
    clear: () => write(undefined),
  }
}
