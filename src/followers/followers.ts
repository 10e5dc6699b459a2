import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { parsedJson } from '../json.ts'
import { retryWrite, type Documents, type Write } from '../store/store.ts'
import { minuteMs, type TimeSource } from '../clock.ts'
import type { FollowKeys, TokenPurpose } from './follow-keys.ts'
import {
  confirmWithinMs,
  deletedAt,
  followChoiceSchema,
  isFollowing,
  isUnreached,
  renewAfterMs,
  renewWithinMs,
  storedFollowerSchema,
  type FollowChoice,
  type Follower,
  type FollowMeans,
} from './follower.ts'

export const followerBucket = 'followers'

const bucket = followerBucket

/** Document that changes whenever a follower changes, so that the sender can poll cheaply. */
export const followersVersionDocument = { bucket: 'followers-version', id: 'version' }

/** Maximum number of a site's followers by email, and of its devices. */
export const maxFollowers = 10_000

/** Minimum interval between counts, because counting reads all followers. */
const countAgainMs = minuteMs

/** Id of the mark that a person has left. */
const leftId = (id: string) => `left ${id}`

export type FollowRequest = {
  readonly address: string
  readonly choice: FollowChoice
  readonly language: string
  readonly linkId?: string | undefined
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

export type FollowCounts = {
  readonly following: Readonly<Record<FollowMeans, number>>
  readonly rejected: number
}

/** Numbers of followers at a time, and the devices that have not been reached, oldest first. */
type Counted = Record<FollowMeans, number> & {
  readonly at: number
  readonly unreached: Follower[]
}

export type Followers = {
  readonly all: () => Promise<readonly Follower[]>
  /**
   * Replaces a follower with the result of `changed`, and deletes it if that is undefined. Resolves to
   * the result. Fails if other processes keep changing the follower.
   */
  readonly change: (
    id: string,
    changed: (follower: Follower | undefined) => Follower | undefined,
    others?: (follower: Follower | undefined) => readonly Write[],
  ) => Promise<Follower | undefined>
  readonly byId: (id: string) => Promise<Follower | undefined>
  readonly byToken: (token: string, purpose: TokenPurpose) => Promise<Follower | undefined>
  readonly tokenFor: FollowKeys['tokenFor']
  /** Resolves to a number that changes whenever a follower changes. */
  readonly version: () => Promise<number | undefined>
  /** Returns the address in plain text, or undefined if it was encrypted with another secret. */
  readonly addressOf: (follower: Follower) => string | undefined
  /** Resolves to the followers whose address was encrypted with another secret. */
  readonly unreadable: () => Promise<readonly Follower[]>
  /** Resolves to the followers with an email address, including rejected ones. */
  readonly ofAddress: (address: string) => Promise<readonly Follower[]>
  /** Resolves to false if there are too many followers of this kind. */
  readonly hasRoom: (means: FollowMeans) => Promise<boolean>
  /** Requests confirmation by email from a new follower, or of an existing follower's new choice. */
  readonly request: (wish: FollowRequest) => Promise<Follower | undefined>
  /**
   * Returns a token that confirms the requested choice, or else the current one. It starts with
   * an id, like other tokens, so that proxies recognize it and keep it out of their logs.
   */
  readonly confirmationFor: (follower: Follower) => string
  /**
   * Resolves to the request in a confirmation token, or to undefined if it is invalid, has expired,
   * or is older than the person's decision to leave.
   */
  readonly requestIn: (token: string) => Promise<FollowRequest | undefined>
  /**
   * Adds a follower who has confirmed, or replaces their choice and renews the confirmation. A
   * request works once, so that it cannot undo a later choice.
   */
  readonly confirm: (wish: FollowRequest) => Promise<Follower | undefined>
  readonly choose: (follower: Follower, choice: FollowChoice) => Promise<Follower | undefined>
  /**
   * Adds a device. It needs no confirmation, because the browser has already asked for
   * permission. Resolves to undefined if there are too many devices.
   */
  readonly addDevice: (wish: FollowRequest) => Promise<Follower | undefined>
  readonly hasDevice: (wish: FollowRequest) => Promise<boolean>
  readonly removeDevice: (endpoint: string, linkId?: string) => Promise<Follower | undefined>
  /**
   * Deletes a follower and all data about them. Until earlier confirmation tokens have expired, an
   * id that cannot be derived from the address without the secret marks that they have left.
   */
  readonly remove: (follower: { readonly id: string }) => Promise<Follower | undefined>
  readonly counts: () => Promise<FollowCounts>
}

/** Stores the followers of a site. All methods reject with a `StoreError` if the store fails. */
export function createFollowers(
  documents: Documents,
  {
    keys,
    clock,
    idHost = '',
  }: {
    readonly keys: FollowKeys
    readonly clock: TimeSource
    /** Host of the site. Several sites can have the same keys. */
    readonly idHost?: string
  },
): Followers {
  const confirmationUse = `confirmation ${idHost}`

  async function load(id: string) {
    const { value = '', revision = 0 } = (await documents.get(bucket, id)) ?? {}
    return { follower: followerIn(id, value), revision }
  }

  const change: Followers['change'] = async (id, changed, others = () => []) => {
    const result = await retryWrite(async () => {
      const { follower, revision } = await load(id)
      const after = changed(follower)
      if (after === follower) return { after }
      const isWritten = await documents.write(
        [
          writeOf(id, after),
          ...others(follower),
          { ...followersVersionDocument, value: `${id} ${clock.now()} ${revision}` },
        ],
        { bucket, id, revision },
      )
      return isWritten ? { after } : undefined
    })
    if (!result) throw new Error('the follower could not be changed')
    return result.after
  }

  async function all(): Promise<readonly Follower[]> {
    const stored = [...(await documents.all(bucket))]
    return stored.flatMap(([id, { value }]) => followerIn(id, value) ?? [])
  }

  let counted: Counted = { at: -Infinity, mail: 0, push: 0, unreached: [] }

  async function hasRoom(means: FollowMeans): Promise<boolean> {
    if (clock.now() >= counted.at + countAgainMs) {
      const known = await all()
      const countOf = (each: FollowMeans) => known.filter((one) => one.means === each).length
      const unreached = known.filter(isUnreached).toSorted((a, b) => a.createdAt - b.createdAt)
      counted = { at: clock.now(), mail: countOf('mail'), push: countOf('push'), unreached }
    }
    return counted[means] < maxFollowers
  }

  /** Deletes the oldest device that has not been reached. Resolves to false if there is none. */
  async function removeUnreached(): Promise<boolean> {
    for (let next = counted.unreached.shift(); next; next = counted.unreached.shift()) {
      const kept = await change(
        next.id,
        (known) => known && (isUnreached(known) ? undefined : known),
      )
      if (kept) continue
      counted.push -= 1
      return true
    }
    return false
  }

  /** Adds or replaces a follower. Resolves to undefined if there is no room for a new one. */
  async function add(
    { id, means }: Follower,
    added: (known: Follower | undefined) => Follower,
  ): Promise<Follower | undefined> {
    const isNew = !(await load(id)).follower
    // Fake devices must not keep others from being added.
    const hasSpace = async () =>
      (await hasRoom(means)) || (means === 'push' && (await removeUnreached()))
    if (isNew && !(await hasSpace())) return undefined
    if (isNew) counted[means] += 1
    return change(id, added)
  }

  function newFollower(means: FollowMeans, wish: FollowRequest): Follower {
    const { choice, language, linkId } = wish
    const id = keys.idOf(means, wish.address, linkId)
    const address = keys.encrypt(wish.address)
    const unsent = { sent: {}, lastSentAt: 0, failures: 0, nextAt: 0 }
    return { id, means, address, choice, language, linkId, createdAt: clock.now(), ...unsent }
  }

  const addressOf: Followers['addressOf'] = ({ address }) =>
    address === undefined ? undefined : keys.decrypt(address)

  return {
    all,
    change,
    byId: async (id) => (await load(id)).follower,
    async byToken(token, purpose) {
      const { follower } = await load(keys.idIn(token))
      return follower && keys.isValid(token, purpose, follower) ? follower : undefined
    },
    tokenFor: keys.tokenFor,
    version: async () =>
      (await documents.get(followersVersionDocument.bucket, followersVersionDocument.id))?.revision,
    addressOf,
    unreadable: async () =>
      (await all()).filter((each) => each.address !== undefined && addressOf(each) === undefined),
    ofAddress: async (address) =>
      (await all()).filter(
        ({ id, means, linkId }) => means === 'mail' && id === keys.idOf('mail', address, linkId),
      ),
    hasRoom,
    request(wish) {
      const added = newFollower('mail', wish)
      const { id, address, choice, language, createdAt: at } = added
      return change(id, (known): Follower => {
        const before = known && known.rejectedAt === undefined ? known : added
        // Anyone can request. A known address stays as it was confirmed.
        return { address, ...before, requested: { choice, language, at }, failures: 0, nextAt: 0 }
      })
    },
    confirmationFor(follower) {
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
      return `${id}${keys.encrypt(JSON.stringify(plain), confirmationUse)}`
    },
    async requestIn(token) {
      const encrypted = token.slice(keys.idIn(token).length)
      const text = keys.decrypt(encrypted, confirmationUse) ?? ''
      const { data } = confirmation.safeParse(parsedJson(text))
      if (!data || clock.now() >= data.expiresAt) return undefined
      // The id at the start of the token can be changed.
      const id = keys.idOf('mail', data.address, data.linkId)
      const { value: leftAt = -Infinity } = (await documents.get(bucket, leftId(id))) ?? {}
      return data.requestedAt < Number(leftAt) ? undefined : data
    },
    confirm(wish) {
      const { requestedAt = Infinity } = wish
      const added = newFollower('mail', wish)
      const { address, choice, language, createdAt: now } = added
      return add(added, (known = added): Follower => {
        if (known.confirmedAt !== undefined && known.confirmedAt > requestedAt) return known
        const { rejectedAt: _, ...before } = known
        return { ...renewed(before, now), address, choice, language }
      })
    },
    choose: (follower, choice) =>
      change(follower.id, (known) => known && { ...renewed(known, clock.now()), choice }),
    async addDevice(wish) {
      const added = newFollower('push', wish)
      const { address, choice, language, createdAt: now } = added
      return add(added, (known): Follower => {
        // Browsers send the same subscription again now and then. Nothing that is due may get lost.
        const isSame = known && isDeepStrictEqual(known.choice, choice)
        const confirmedAt = isSame ? known.confirmedAt : now
        return { ...(known ?? added), address, choice, language, confirmedAt }
      })
    },
    hasDevice: async ({ address, linkId }) =>
      (await load(keys.idOf('push', address, linkId))).follower !== undefined,
    removeDevice: (endpoint, linkId) =>
      change(keys.idOf('push', endpoint, linkId), () => undefined),
    remove: ({ id }) =>
      change(
        id,
        () => undefined,
        (follower) => (hasConfirmedMail(follower) ? [leftMark(follower, clock.now())] : []),
      ),
    async counts() {
      const known = await all()
      const following = known.filter(isFollowing)
      const countOf = (means: FollowMeans) =>
        following.filter((follower) => follower.means === means).length
      const rejected = known.filter(({ rejectedAt }) => rejectedAt !== undefined).length
      return {
        following: { mail: countOf('mail'), push: countOf('push') },
        rejected,
      }
    },
  }
}

/** Returns the encrypted address of a stored follower, if it has one. */
export function storedAddress(value: string): readonly string[] {
  const { address } = followerIn('', value) ?? {}
  return address === undefined ? [] : [address]
}

/** Returns the follower after an answer to the yearly question. */
function renewed(follower: Follower, now: number): Follower {
  const { renewal: _, ...sent } = follower.sent
  return { ...follower, sent, confirmedAt: now }
}

function followerIn(id: string, value: string): Follower | undefined {
  const { data } = storedFollowerSchema.safeParse(parsedJson(value))
  return data && { ...data, id }
}

function hasConfirmedMail(follower: Follower | undefined): follower is Follower {
  return follower?.means === 'mail' && follower.confirmedAt !== undefined
}

/** Marks that a person has left until their tokens have expired. */
function leftMark({ id, createdAt }: Follower, now: number): Write {
  // Followers are asked to renew the confirmation only after that.
  const withinMs = now < createdAt + renewAfterMs ? confirmWithinMs : renewWithinMs
  return { bucket, id: leftId(id), value: String(now), expiresAt: now + withinMs }
}

function writeOf(id: string, follower: Follower | undefined): Write {
  if (!follower) return { bucket, id, value: undefined }
  const { id: _, ...stored } = follower
  const expiresAt = deletedAt(follower)
  const value = JSON.stringify(stored)
  return { bucket, id, value, ...(expiresAt === undefined ? {} : { expiresAt }) }
}
