import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import type { Store } from '../../store/store.ts'
import { changeItem, nothingSent, sentChanges } from '../notifications/change-webhooks.ts'

export const stateBucket = 'followers-state'

const stored = z.object({
  sent: sentChanges,
  /** Changes with the time when they were found. */
  found: z.array(z.object({ item: changeItem, at: z.number() })).readonly(),
  /** Set while the mail server accepts no emails. */
  mailFailure: z.object({ since: z.number(), reason: z.string() }).optional(),
  /** Number of messages that were due after the latest turn, because of a limit or a failure. */
  waiting: z.number().optional(),
  /** Number of followers whose mail servers refuse emails. Undefined if there are only a few. */
  refused: z.number().optional(),
  /** Number of followers whose address was encrypted with another secret. */
  unreadable: z.number().optional(),
  /** Push services that refuse most devices. */
  refusedDevices: z
    .array(
      z.object({
        service: z.string(),
        since: z.number(),
        refused: z.number(),
        devices: z.number(),
        reason: z.string().optional(),
      }),
    )
    .readonly()
    .optional(),
})

export type SendingState = z.infer<typeof stored>

export function parseState(text: string): SendingState {
  return stored.safeParse(parsedJson(text)).data ?? { sent: nothingSent, found: [] }
}

/** Resolves to the state last stored by the replica that sends. */
export async function sendingState(
  documents: Store['documents'],
): Promise<Omit<SendingState, 'sent' | 'found'>> {
  return parseState((await documents.get(stateBucket, 'state'))?.value ?? '')
}
