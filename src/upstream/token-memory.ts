import { z } from 'zod'
import type { CallWindow } from './throttle.ts'

/** What a restart and other replicas know of the tokens. */
export type TokenMemory = {
  /** What was saved last. */
  readonly load: () => Promise<string | undefined>
  readonly save: (text: string) => Promise<void>
  /** Where token requests are counted that may come to nothing. */
  readonly attempts: Pick<CallWindow, 'take' | 'giveBack'>
  /** Whether no other replica requests a token now. */
  readonly takeLease: (ttlMs: number) => Promise<boolean>
  readonly releaseLease: () => Promise<void>
}

const keptTokenSchema = z.object({
  token: z
    .object({
      fingerprint: z.string(),
      token: z.string().min(1),
      issuedAt: z.number(),
      renewAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
  lockedUntil: z.number().catch(0),
})

type Kept = z.infer<typeof keptTokenSchema>
export type KeptToken = NonNullable<Kept['token']>

/** What `TokenMemory` keeps; nothing, when it cannot be read. */
export function keptTokenFrom(text: string | undefined): Kept {
  try {
    return keptTokenSchema.parse(JSON.parse(text ?? '{}'))
  } catch {
    return { token: undefined, lockedUntil: 0 }
  }
}
