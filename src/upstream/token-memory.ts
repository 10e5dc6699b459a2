import { z } from 'zod'
import type { CallWindow } from './throttle.ts'
import { upstreamErrorKinds } from './upstream-error.ts'

/** Token state shared with replicas and kept across restarts. */
export type TokenMemory = {
  /** Returns the text saved last. */
  readonly load: () => Promise<string | undefined>
  /** Returns false if saving failed. */
  readonly save: (text: string) => Promise<boolean>
  /** Counter of token requests that may fail. */
  readonly attempts: Pick<CallWindow, 'take' | 'release'>
  /** Acquires or renews the lease for a token request. False if another replica holds it. */
  readonly takeLease: (ttlMs: number) => Promise<boolean>
  readonly releaseLease: () => Promise<void>
}

const keptTokensSchema = z.object({
  /** Identifies the site and refresh token that token and pause belong to. */
  fingerprint: z.string(),
  token: z
    .object({
      token: z.string().min(1),
      issuedAt: z.number(),
      renewAt: z.number(),
      expiresAt: z.number(),
    })
    .optional(),
  /** No token request before `until`, because of this failure. */
  pause: z.object({ kind: z.enum(upstreamErrorKinds), until: z.number() }).optional(),
})

/** Persisted token state. Instants in milliseconds since the epoch. */
export type KeptTokens = z.infer<typeof keptTokensSchema>
export type StoredToken = NonNullable<KeptTokens['token']>

/** Parses the text in `TokenMemory`; undefined if it is invalid. */
export function keptTokensFrom(text: string | undefined): KeptTokens | undefined {
  try {
    return keptTokensSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}
