import { z } from 'zod'
import type { CallWindow } from './throttle.ts'
import { upstreamErrorKinds } from './upstream-error.ts'

/** What a restart and other replicas know of the tokens. */
export type TokenMemory = {
  /** What was saved last. */
  readonly load: () => Promise<string | undefined>
  /** Resolves to whether it is saved. */
  readonly save: (text: string) => Promise<boolean>
  /** Where token requests are counted that may come to nothing. */
  readonly attempts: Pick<CallWindow, 'take' | 'release'>
  /** Whether no other replica requests a token now. */
  readonly takeLease: (ttlMs: number) => Promise<boolean>
  readonly releaseLease: () => Promise<void>
}

const keptTokensSchema = z.object({
  /** Of the site and refresh token that token and pause belong to. */
  fingerprint: z.string(),
  token: z
    .object({
      token: z.string().min(1),
      issuedAt: z.number(),
      renewAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
  /** No token request until then, because of this. */
  pause: z.object({ kind: z.enum(upstreamErrorKinds), until: z.number() }).optional(),
})

/** Instants in milliseconds since the epoch. */
export type KeptTokens = z.infer<typeof keptTokensSchema>
export type StoredToken = NonNullable<KeptTokens['token']>

/** What `TokenMemory` keeps; undefined when it cannot be read. */
export function keptTokensFrom(text: string | undefined): KeptTokens | undefined {
  try {
    return keptTokensSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}
