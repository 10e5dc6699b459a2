import { withFallback } from '../../store/store-error.ts'
import type { Documents, Leases } from '../../store/store.ts'

/** Longer than both the time between two turns and the time taken by the slowest receiver. */
const leaseMs = 5 * 60_000

type SenderContext = {
  readonly store: { readonly documents: Documents; readonly leases: Leases }
  readonly holder: string
}

/**
 * Keeps the state of the only replica that sends messages. While the store is down, the replica
 * uses its own copy.
 */
export function createSoleSender<State>(
  { store: { documents, leases }, holder }: SenderContext,
  bucket: string,
  parse: (text: string) => State,
) {
  const document = { bucket, id: 'state' }
  const lease = `${bucket} state`
  let isSender = false
  let known:
    | { readonly state: State; readonly text: string; readonly revision: number; isSaved: boolean }
    | undefined

  async function load(): Promise<State> {
    const { value: text = '', revision = 0 } = (await documents.get(bucket, document.id)) ?? {}
    if (known?.revision === revision) return known.state
    const state = parse(text)
    known = { state, text, revision, isSaved: true }
    return state
  }

  /** Resolves to false if another replica has the lease. */
  async function renew(): Promise<boolean> {
    isSender = (await withFallback(() => leases.take(lease, holder, leaseMs))) ?? isSender
    return isSender
  }

  return {
    renew,
    /** Resolves to undefined while another replica sends. Takes over from an inactive one. */
    async take(): Promise<State | undefined> {
      if (!(await renew())) {
        known = undefined
        return undefined
      }
      // Changes that could not be stored are newer than the store.
      if (known && !known.isSaved) return known.state
      return withFallback(load, () => known?.state)
    },
    /** Resolves to false if another replica has taken over, and nothing may be sent. */
    async save(state: State): Promise<boolean> {
      const before = known ?? { text: '', revision: 0, isSaved: false }
      const { revision } = before
      const text = JSON.stringify(state)
      if (before.isSaved && text === before.text) return true
      const isWritten = await withFallback(() =>
        documents.write([{ ...document, value: text }], { ...document, revision }),
      )
      if (isWritten) known = { state, text, revision: revision + 1, isSaved: true }
      else known = isWritten === undefined ? { ...before, state, isSaved: false } : undefined
      return isWritten ?? true
    },
    async release(): Promise<void> {
      if (isSender) await withFallback(() => leases.release(lease, holder))
    },
  }
}
