import { isDeepStrictEqual } from 'node:util'
import { parsedJson } from '../json.ts'
import { retryWrite, type Documents, type Write } from '../store/store.ts'
import type { TimeSource } from '../clock.ts'
import {
  createConfirmationTokens,
  type FollowRequest,
  type Invited,
} from './confirmation-tokens.ts'
import type { FollowKeys, TokenPurpose } from './follow-keys.ts'
import {
  confirmWithinMs,
  deletedAt,
  isFollowing,
  isUnreached,
  renewAfterMs,
  renewWithinMs,
  storedFollowerSchema,
  type FollowChoice,
  type Follower,
  type FollowMeans,
} from './follower.ts'
import { createFollowerRoom } from './follower-room.ts'

export const followerBucket = 'followers'

const bucket = followerBucket

/** Document that changes whenever a follower changes, so that the sender can poll cheaply. */
export const followersVersionDocument = { bucket: 'followers-version', id: 'version' }

/** Returns when a follower last changed, in milliseconds since the epoch, or -Infinity if unknown. */
export function followersChangedAt({ value }: { readonly value: string }): number {
  const time = Number(value.split(' ').at(-2))
  return Number.isNaN(time) ? -Infinity : time
}

const invitationUse = 'invitation'

const noMessages: FollowChoice = { changes: false, tomorrow: false, emergency: false }

/** Id of the mark that a person has left. */
const leftId = (id: string) => `left ${id}`

export type FollowCounts = {
  readonly following: Readonly<Record<FollowMeans, number>>
  readonly rejected: number
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
  /**
   * Adds an invitation to the page of a link. Resolves to undefined if there are too many
   * followers.
   */
  readonly invite: (invited: Invited, key: string) => Promise<Follower | undefined>
  /** Returns the key of the link that a follower is invited to, until the email has been sent. */
  readonly invitationKeyOf: (follower: Follower) => string | undefined
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
  const confirmations = createConfirmationTokens(keys, clock, idHost)

  const { all, load, change } = createFollowerDocuments(documents, clock)
  const room = createFollowerRoom(all, clock, async (id) => {
    const kept = await change(id, (known) => (known && isUnreached(known) ? undefined : known))
    return kept === undefined
  })

  /** Adds or replaces a follower. Resolves to undefined if there is no room for a new one. */
  async function add(
    { id, means }: Follower,
    added: (known: Follower | undefined) => Follower,
  ): Promise<Follower | undefined> {
    const isNew = !(await load(id)).follower
    if (isNew && !(await room.take(means))) return undefined
    return change(id, added)
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
    hasRoom: room.isThere,
    request(wish) {
      const added = newFollower('mail', wish, keys, clock.now())
      return change(added.id, (known) => requested(known, added))
    },
    confirmationFor: confirmations.tokenFor,
    async requestIn(token) {
      const request = confirmations.requestIn(token)
      if (!request) return undefined
      // The id at the start of the token can be changed.
      const id = keys.idOf('mail', request.address, request.linkId)
      const { value: leftAt = -Infinity } = (await documents.get(bucket, leftId(id))) ?? {}
      return request.requestedAt < Number(leftAt) ? undefined : request
    },
    confirm(wish) {
      const added = newFollower('mail', wish, keys, clock.now())
      return add(added, (known) => confirmed(known, added, wish.requestedAt))
    },
    invite(wish, key) {
      const added = newFollower('mail', { ...wish, choice: noMessages }, keys, clock.now())
      const invited = { at: added.createdAt, key: keys.encrypt(key, invitationUse) }
      return add(added, () => ({ ...added, invited }))
    },
    invitationKeyOf: ({ invited }) =>
      invited?.key === undefined ? undefined : keys.decrypt(invited.key, invitationUse),
    choose: (follower, choice) =>
      change(follower.id, (known) => known && { ...renewed(known, clock.now()), choice }),
    async addDevice(wish) {
      const added = newFollower('push', wish, keys, clock.now())
      return add(added, (known) => resubscribed(known, added))
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
    counts: async () => countsOf(await all()),
  }
}

function createFollowerDocuments(documents: Documents, clock: TimeSource) {
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

  return { all, load, change }
}

function newFollower(
  means: FollowMeans,
  { address, choice, language, linkId }: FollowRequest,
  keys: FollowKeys,
  now: number,
): Follower {
  const id = keys.idOf(means, address, linkId)
  const unsent = { sent: {}, lastSentAt: 0, failures: 0, nextAt: 0 }
  const encrypted = keys.encrypt(address)
  return { id, means, address: encrypted, choice, language, linkId, createdAt: now, ...unsent }
}

/** Returns the follower after a request. A known address stays, because anyone can make a request. */
function requested(known: Follower | undefined, added: Follower): Follower {
  const { address, choice, language, createdAt: at } = added
  const before = known && known.rejectedAt === undefined ? known : added
  return { address, ...before, requested: { choice, language, at }, failures: 0, nextAt: 0 }
}

/** Returns the follower after the confirmation of a request, unless a later one was confirmed. */
function confirmed(known: Follower | undefined, added: Follower, requestedAt = Infinity): Follower {
  if (known?.confirmedAt !== undefined && known.confirmedAt > requestedAt) return known
  const { rejectedAt: _, ...before } = known ?? added
  const { address, choice, language, createdAt: now } = added
  return { ...renewed(before, now), address, choice, language }
}

/** Returns the device after its browser has sent a subscription. */
function resubscribed(known: Follower | undefined, added: Follower): Follower {
  const { address, choice, language, createdAt: now } = added
  // Browsers send the same subscription again now and then. Nothing that is due may get lost.
  const isSame = known && isDeepStrictEqual(known.choice, choice)
  const confirmedAt = isSame ? known.confirmedAt : now
  return { ...(known ?? added), address, choice, language, confirmedAt }
}

function countsOf(known: readonly Follower[]): FollowCounts {
  const following = known.filter(isFollowing)
  const countOf = (means: FollowMeans) =>
    following.filter((follower) => follower.means === means).length
  const rejected = known.filter(({ rejectedAt }) => rejectedAt !== undefined).length
  return { following: { mail: countOf('mail'), push: countOf('push') }, rejected }
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
