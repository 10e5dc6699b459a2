import type { Clock } from '../../clock.ts'
import { parsedJson } from '../../json.ts'
import { confirmationsBucket, isConfirmed } from '../replicas.ts'
import { withFallback } from '../store-error.ts'
import type { Confirmation, Documents } from '../store.ts'
import { follows, markFrom, storedMark, type Mark } from '../kept-buckets.ts'
import { largeBuckets, type KeptMemory } from './known-buckets.ts'

/*
 * A change that only one process knows is undone if Redis loses it and that process ends. Each
 * running service therefore announces which states of the kept buckets it remembers. A process that
 * changes a bucket can wait until all services remember the change.
 */

/** Marks that have not changed are repeated at this interval, because a service may have been killed. */
const repeatMs = 10_000
const lifetimeMs = 25_000

/** Result while the store does not respond, because any other service may not remember the change. */
const notCounted: Confirmation = { services: 1, confirming: 0 }

/** Services check for changes every two seconds. */
export const confirmMs = 5_000
const checkMs = 100

export type Confirmations = {
  /** Lets writers know what this process remembers. */
  readonly announce: () => Promise<void>
  /** Removes what was announced. Does nothing if the store is down. */
  readonly withdraw: () => Promise<void>
  /** Waits a while for all other services to remember the present state of these buckets. */
  readonly confirmed: (buckets: readonly string[]) => Promise<Confirmation>
}

export function createConfirmations(
  documents: Documents,
  memory: KeptMemory,
  clock: Clock,
): Confirmations {
  const document = { bucket: confirmationsBucket, id: memory.id }
  const markOf = (bucket: string): Mark => memory.buckets.get(bucket) ?? { origin: '', revision: 0 }

  function marks(): string {
    const all = [...memory.buckets.keys()].filter((bucket) => !largeBuckets.includes(bucket))
    return JSON.stringify(Object.fromEntries(all.map((name) => [name, storedMark(markOf(name))])))
  }

  /** Counts the other services, and how many of them remember these states or later ones. */
  async function count(wanted: ReadonlyMap<string, Mark>): Promise<Confirmation> {
    const all = await documents.all(confirmationsBucket)
    // If the store has lost the change meanwhile, this writes it back.
    for (const bucket of wanted.keys()) await documents.get(bucket, '')
    const others = [...all].filter(([id]) => id !== memory.id)
    const confirming = others.filter(([, { value }]) => {
      const remembered = parsedJson(value) as Record<string, string>
      return [...wanted].every(([bucket, mark]) => {
        const { origin } = markOf(bucket)
        const latest = origin === mark.origin ? mark : markOf(bucket)
        return latest.origin === '' || follows(markFrom(remembered[bucket]), latest)
      })
    })
    return { services: others.length, confirming: confirming.length }
  }

  return {
    async announce() {
      const value = marks()
      const { text, at } = memory.announced
      if (text === value && Math.abs(clock.now() - at) < repeatMs) return
      await documents.write([{ ...document, value, expiresAt: clock.now() + lifetimeMs }])
      memory.announced = { text: value, at: clock.now() }
    },
    async withdraw() {
      if (memory.announced.text === '') return
      memory.announced = { text: '', at: 0 }
      await withFallback(() => documents.write([{ ...document, value: undefined }]))
    },
    async confirmed(buckets) {
      // The service tries again every two seconds.
      await withFallback(async () => memory.record?.save(memory.buckets))
      const wanted = new Map(buckets.map((bucket) => [bucket, { ...markOf(bucket) }]))
      let isLate = false
      const cancel = clock.after(confirmMs, () => (isLate = true))
      let latest: Confirmation | undefined
      for (;;) {
        const counted = await withFallback(() => count(wanted))
        // If the store has lost what services say, they soon repeat it.
        const isKnown = counted && (counted.services > 0 || !latest || latest.services === 0)
        if (isKnown) latest = counted
        if (isLate || (isKnown && isConfirmed(counted))) break
        await clock.sleep(checkMs)
      }
      cancel()
      return latest ?? notCounted
    },
  }
}
