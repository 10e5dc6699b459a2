import { z } from 'zod'
import type { TimeSource } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { FollowKeys } from './follow-keys.ts'
import {
  confirmWithinMs,
  followChoiceSchema,
  renewWithinMs,
  type FollowChoice,
  type Follower,
} from './follower.ts'

/** A person who has been invited, or has asked, to follow. */
export type Invited = {
  readonly address: string
  readonly language: string
  readonly linkId?: string | undefined
}

export type FollowRequest = Invited & {
  readonly choice: FollowChoice
  readonly requestedAt?: number | undefined
}

/** Content of a confirmation token. Because of it, unconfirmed requests need not be stored. */
const confirmation = z.object({
  address: z.string(),
  choice: followChoiceSchema,
  language: z.string(),
  linkId: z.string().optional(),
  requestedAt: z.number(),
  expiresAt: z.number(),
})

export type Confirmation = Readonly<z.infer<typeof confirmation>>

export type ConfirmationTokens = {
  /** Returns a token that confirms the requested choice, or else the current one. */
  readonly tokenFor: (follower: Follower) => string
  /** Returns the request in a token, or undefined if it is invalid or has expired. */
  readonly requestIn: (token: string) => Confirmation | undefined
}

export function createConfirmationTokens(
  keys: FollowKeys,
  clock: TimeSource,
  idHost: string,
): ConfirmationTokens {
  const use = `confirmation ${idHost}`
  return {
    tokenFor(follower) {
      const { id, requested, address = '', linkId } = follower
      const { choice, language } = requested ?? follower
      const { at: requestedAt, withinMs } = requested
        ? { ...requested, withinMs: confirmWithinMs }
        : { at: clock.now(), withinMs: renewWithinMs }
      const plain = {
        address: keys.decrypt(address),
        choice,
        language,
        linkId,
        requestedAt,
        expiresAt: requestedAt + withinMs,
      }
      return `${id}${keys.encrypt(JSON.stringify(plain), use)}`
    },
    requestIn(token) {
      const encrypted = token.slice(keys.idIn(token).length)
      const text = keys.decrypt(encrypted, use) ?? ''
      const { data } = confirmation.safeParse(parsedJson(text))
      return data && clock.now() < data.expiresAt ? data : undefined
    },
  }
}
