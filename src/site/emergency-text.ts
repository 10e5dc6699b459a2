import { z } from 'zod'
import { every, type Clock } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { Logger } from '../log.ts'
import { siteTimeAt, zonedTimeAt } from '../records/site-time.ts'
import { boardItem, type BoardItem } from '../signage/board-item.ts'
import { createStoreAccess } from '../store/store-error.ts'
import { loadChanges, type VersionedDocuments } from '../store/store.ts'

const times = { since: z.number(), until: z.number() }
const emergencyText = z.object({ title: z.string(), text: z.string(), ...times })

/** A text that covers all boards of a site until it ends. Times are in milliseconds since the epoch. */
export type EmergencyText = Readonly<z.infer<typeof emergencyText>>

/** The emergency text of a site, which all of its replicas show. */
export type EmergencyTexts = {
  /** Returns the text that boards currently show. It ends on time even if the store is down. */
  readonly current: () => EmergencyText | undefined
  readonly onChange: (listener: () => void) => void
}

/** Changes the emergency text on all replicas. Rejects with a `StoreError` if the store is down. */
export type EmergencyEditor = {
  readonly current: EmergencyTexts['current']
  readonly show: (text: EmergencyText) => Promise<void>
  readonly clear: () => Promise<void>
}

type EmergencyStore = EmergencyTexts &
  EmergencyEditor & {
    readonly pull: () => Promise<boolean>
    readonly poll: (signal: AbortSignal) => Promise<void>
  }

/** Parses a stored text. Returns undefined for a text that this version cannot use. */
export function parseEmergencyText(value: string | undefined): EmergencyText | undefined {
  return emergencyText.safeParse(parsedJson(value ?? '')).data
}

/** Boards show it on top of everything else, and players show it like any other item. */
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
  store: VersionedDocuments,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): EmergencyStore {
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
    current: () => (known.text && clock.now() < known.text.until ? known.text : undefined),
    onChange: (listener) => void listeners.push(listener),
    pull,
    poll: (signal) => every(clock, pollMs, signal, () => (hasEnded() ? pull() : pullChanges())),
    show: (text) => write(text),
    clear: () => write(undefined),
  }
}
