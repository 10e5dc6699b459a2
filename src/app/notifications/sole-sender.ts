import { withFallback } from '../../store/store-error.ts'
import type { Store } from '../../store/store.ts'

/**
 * State of the one replica that sends messages, which it stores before and after sending. While the
 * store is down, that replica continues with its own copy.
 */
export type SoleSender<T> = {
  /**
   * Returns the current state if this replica is the one that sends, or undefined. Takes over if no
   * other replica has been active for a while.
   */
  readonly take: () => Promise<T | undefined>
  /** Resolves to false if another replica has taken over, so that nothing may be sent. */
  readonly save: (state: T) => Promise<boolean>
  readonly release: () => Promise<void>
}

/** Longer than the time between two turns, including slow receivers. */
const leaseMs = 5 * 60_000

/** Stopping takes at most this long. */
const graceMs = 3_000

/**
 * Returns a signal that aborts a little later than another one. A message that is on its way when the
 * process stops then arrives, and need not be repeated by the next process.
 */
export function sendingSignal(signal: AbortSignal): AbortSignal {
  const sending = new AbortController()
  const abort = () => void setTimeout(() => sending.abort(), graceMs).unref()
  signal.addEventListener('abort', abort, { once: true })
  return sending.signal
}

export function createSoleSender<T>(options: {
  readonly store: Pick<Store, 'documents' | 'leases'>
  readonly document: { readonly bucket: string; readonly id: string }
  /** Id of this replica. */
  readonly holder: string
  /** Returns the initial state if the text is missing or unreadable. */
  readonly parse: (text: string | undefined) => T
}): SoleSender<T> {
  const { store, document, holder, parse } = options
  const { documents, leases } = store
  const lease = `${document.bucket} ${document.id}`
  let isSender = false
  let known: { readonly state: T; readonly text: string; readonly revision: number } | undefined
  let isSaved = true

  async function load(): Promise<T> {
    const stored = await documents.get(document.bucket, document.id)
    if (known && known.revision === (stored?.revision ?? 0)) return known.state
    const state = parse(stored?.value)
    known = { state, text: stored?.value ?? '', revision: stored?.revision ?? 0 }
    return state
  }

  return {
    async take() {
      isSender = await withFallback(
        () => leases.take(lease, holder, leaseMs),
        () => isSender,
      )
      if (!isSender) {
        known = undefined
        isSaved = true
        return undefined
      }
      // What could not be stored is newer than the store.
      if (known && !isSaved) return known.state
      return withFallback(load, () => known?.state)
    },
    save: (state) =>
      withFallback(
        async () => {
          const text = JSON.stringify(state)
          const revision = known?.revision ?? 0
          if (known && isSaved && text === known.text) return true
          const isWritten = await documents.write([{ ...document, value: text }], {
            ...document,
            revision,
          })
          known = isWritten ? { state, text, revision: revision + 1 } : undefined
          isSaved = true
          return isWritten
        },
        () => {
          known = { state, text: known?.text ?? '', revision: known?.revision ?? 0 }
          isSaved = false
          return true
        },
      ),
    async release() {
      if (!isSender) return
      await withFallback(
        () => leases.release(lease, holder),
        () => undefined,
      )
    },
  }
}
