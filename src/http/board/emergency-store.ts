import { every, type Clock } from '../../clock.ts'
import {
  parseEmergencyText,
  type EmergencyEditor,
  type EmergencyText,
  type EmergencyTexts,
} from './emergency-text.ts'
import type { Logger } from '../../log.ts'
import { createStoreAccess } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'

/** Poll interval. A change on one replica reaches the other replicas within this time. */
const pollMs = 2_000

const emergencyDocument = { bucket: 'settings', id: 'emergency' }

/** The emergency text in the store. */
export type EmergencyStore = EmergencyTexts &
  EmergencyEditor & {
    /** Loads the stored text. */
    readonly pull: () => Promise<void>
    /** Loads changes made by other replicas until aborted. */
    readonly poll: (signal: AbortSignal) => Promise<void>
  }

export function createEmergencyStore(
  documents: Pick<Documents, 'get' | 'write'>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): EmergencyStore {
  const access = createStoreAccess(log)
  const { bucket, id } = emergencyDocument
  const listeners: (() => void)[] = []
  let known: { readonly value?: string | undefined; readonly text?: EmergencyText | undefined } = {}

  async function load(): Promise<void> {
    const { value } = (await documents.get(bucket, id)) ?? {}
    if (value === known.value) return
    known = { value, text: parseEmergencyText(value) }
    for (const listener of listeners) listener()
  }

  const pull = () => access.use('the emergency text', load, undefined)

  async function write(text: EmergencyText | undefined): Promise<void> {
    const value = text && JSON.stringify(text)
    const expiry = text && { expiresAt: text.until }
    await documents.write([{ bucket, id, value, ...expiry }])
    await load()
  }

  return {
    // While the store is down, the text ends all the same.
    current: () => (known.text && clock.now() < known.text.until ? known.text : undefined),
    onChange: (listener) => void listeners.push(listener),
    pull,
    poll: (signal) => every(clock, pollMs, signal, pull),
    show: write,
    clear: () => write(undefined),
  }
}
