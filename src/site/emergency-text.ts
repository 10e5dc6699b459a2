import { z } from 'zod'
import { every, type Clock } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { Logger } from '../log.ts'
import type { SiteTimes } from '../records/language.ts'
import { siteTimeAt, zonedTimeAt, type SiteDateTime } from '../records/site-time.ts'
import { boardItem, type BoardItem } from '../signage/board-item.ts'
import { activeTime } from '../signage/board-times.ts'
import { boardMessages } from '../signage/messages.ts'
import { createStoreAccess } from '../store/store-error.ts'
import { loadChanges, retryWrite, type Expected, type VersionedDocuments } from '../store/store.ts'

const times = { since: z.number(), until: z.number() }
/** Boards; messages to followers who want them; and pages, embeds and upcoming emails. */
export const emergencyPlaces = ['screens', 'devices', 'pages'] as const

export type EmergencyPlace = (typeof emergencyPlaces)[number]

/** Places of texts that were stored before there was a choice. */
export const earlierPlaces: readonly EmergencyPlace[] = ['screens', 'devices']

const emergencyText = z.object({
  title: z.string(),
  text: z.string(),
  ...times,
  places: z.array(z.enum(emergencyPlaces)).readonly().default(earlierPlaces),
  /** For a test, the id of the link whose boards show it. Empty for boards without a link. */
  testedAt: z.string().optional(),
})

/** A text that boards and pages of a site show until it ends. Times are in milliseconds since the epoch. */
export type EmergencyText = Readonly<z.infer<typeof emergencyText>>

export type EmergencyTexts = {
  /** Returns the current text if it is for the place. Texts end on time even if the store is down. */
  readonly current: (place?: EmergencyPlace) => EmergencyText | undefined
  readonly onChange: (listener: () => void) => void
}

/** Changes the emergency text on all replicas. Rejects with a `StoreError` if the store is down. */
export type EmergencyEditor = {
  readonly current: EmergencyTexts['current']
  /** Resolves to false for a test that would replace a real text. */
  readonly show: (text: EmergencyText) => Promise<boolean>
  /** Resolves to false if only a test should end, but a real text has replaced it. */
  readonly clear: (what?: { readonly isTest: boolean }) => Promise<boolean>
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
  { title, text, since, until, testedAt }: EmergencyText,
  { timeZone, language }: SiteTimes,
): BoardItem {
  return boardItem({
    id: 'emergency',
    kind: 'emergency',
    role: 'emergency',
    title: testedAt === undefined ? title : `${boardMessages(language).test}: ${title}`,
    text,
    when: '',
    start: siteTimeAt(since, timeZone),
    end: siteTimeAt(until, timeZone),
    startAt: zonedTimeAt(since, timeZone),
    endAt: zonedTimeAt(until, timeZone),
  })
}

/** Returns true for boards under the link with this id, or without a link, that show the text. */
export function isOnScreen({ places, testedAt }: EmergencyText, linkId = ''): boolean {
  return testedAt === undefined ? places.includes('screens') : testedAt === linkId
}

/** Returns the words that boards and pages add to a text with this end. */
export function emergencyWords(
  end: SiteDateTime | null,
  lang: string,
  { timeZone, instant }: { readonly timeZone: string; readonly instant: number },
) {
  const words = boardMessages(lang)
  const now = siteTimeAt(instant, timeZone)
  const shown = { start: now, startAt: null, end, allDay: false }
  return { lang, label: words.emergency, until: activeTime(shown, { now, instant, lang, words }) }
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

  async function write(text: EmergencyText | undefined, expected?: Expected): Promise<boolean> {
    const value = text && JSON.stringify(text)
    const expiry = text && { expiresAt: text.until }
    return documents.write([{ bucket, id, value, ...expiry }], expected)
  }

  /** Another replica may have stored a real text, or one that this version cannot read. */
  async function writeTest(text: EmergencyText | undefined): Promise<boolean> {
    const isWritten = await retryWrite(async () => {
      const { value, revision = 0 } = (await documents.get(bucket, id)) ?? {}
      if (value !== undefined && parseEmergencyText(value)?.testedAt === undefined) return false
      return (await write(text, { bucket, id, revision })) || undefined
    })
    return isWritten === true
  }

  return {
    current(place) {
      const { text } = known
      const isCurrent = text !== undefined && clock.now() < text.until
      return isCurrent && (place === undefined || text.places.includes(place)) ? text : undefined
    },
    onChange: (listener) => void listeners.push(listener),
    pull,
    poll: (signal) => every(clock, pollMs, signal, () => (hasEnded() ? pull() : pullChanges())),
    async show(text) {
      const isShown = await (text.testedAt === undefined ? write(text) : writeTest(text))
      await load()
      return isShown
    },
    async clear({ isTest } = { isTest: false }) {
      const isCleared = await (isTest ? writeTest(undefined) : write(undefined))
      await load()
      return isCleared
    },
  }
}
