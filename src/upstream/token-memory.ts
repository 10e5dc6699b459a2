import { z } from 'zod'
import type { CallWindow } from './throttle.ts'
import { upstreamErrorKinds } from './upstream-error.ts'

/** Token state that is shared with other replicas and survives restarts. */
export type TokenMemory = {
  /** Returns the text that was saved last. */
  readonly load: () => Promise<string | undefined>
  /** Returns false if saving failed. */
  readonly save: (text: string) => Promise<boolean>
  /** Limits failed token requests. */
  readonly attempts: Pick<CallWindow, 'take' | 'release'>
  /**
   * Acquires or renews the lease for a token request. Resolves to false if another replica holds
   * it.
   */
  readonly takeLease: (ttlMs: number) => Promise<boolean>
  readonly releaseLease: () => Promise<void>
}

const keptTokensSchema = z.object({
  /** Identifies the site and the refresh token that `token` and `pause` belong to. */
  fingerprint: z.string(),
  token: z
    .object({
      token: z.string().min(1),
      issuedAt: z.number(),
      renewAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
  /** Pauses token requests until `until`, because the last request failed with this error. */
  pause: z.object({ kind: z.enum(upstreamErrorKinds), until: z.number() }).optional(),
})

/** Persisted token state. Times are in milliseconds since the epoch. */
export type KeptTokens = z.infer<typeof keptTokensSchema>
/** The part of the state that applies to one site and refresh token. */
export type TokenState = Omit<KeptTokens, 'fingerprint'>
export type StoredToken = NonNullable<KeptTokens['token']>

/** Parses the text that `TokenMemory` stores. Returns undefined if it is invalid. */
export function keptTokensFrom(text: string | undefined): KeptTokens | undefined {
  try {
    return keptTokensSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}
