import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import { withFallback } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'
import type { Delivery } from '../../channels/notice.ts'

const bucket = 'deliveries'

const storedOutcome = z.object({
  lastSuccessAt: z.number().optional(),
  /** Undefined if the latest message was delivered. */
  failure: z.object({ at: z.number(), reason: z.string() }).optional(),
})

/** Latest results of a channel, in milliseconds since the epoch. */
export type DeliveryOutcome = Readonly<z.infer<typeof storedOutcome>>

/** Stores the result of sending a message, unless the store is down. */
export async function recordDelivery(
  documents: Documents,
  id: string,
  { delivery, now }: { readonly delivery: Delivery; readonly now: number },
): Promise<void> {
  await withFallback(async () => {
    const before = outcomeFrom((await documents.get(bucket, id))?.value)
    const outcome: DeliveryOutcome = delivery.ok
      ? { lastSuccessAt: now }
      : { lastSuccessAt: before.lastSuccessAt, failure: { at: now, reason: delivery.reason } }
    await documents.write([{ bucket, id, value: JSON.stringify(outcome) }])
  })
}

/** Returns the latest results by channel id. Rejects with a `StoreError`. */
export async function deliveryOutcomes(
  documents: Documents,
): Promise<ReadonlyMap<string, DeliveryOutcome>> {
  const all = await documents.all(bucket)
  return new Map([...all].map(([id, { value }]) => [id, outcomeFrom(value)] as const))
}

function outcomeFrom(text: string | undefined): DeliveryOutcome {
  return storedOutcome.safeParse(parsedJson(text ?? '{}')).data ?? {}
}
