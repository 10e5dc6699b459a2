import { isFollowSecret, isIdHost } from './backup-identity.ts'
import {
  restoredLedger,
  restoredState,
  collectionBuckets,
} from '../collections/copy/stored-collections.ts'
import { idHostDocument, idHostFrom } from '../app/id-host.ts'
import { entrySettingsBucket } from '../representations/entry-settings.ts'
import { publicFeedsDocument } from '../app/private-feeds.ts'
import {
  parseStoredSettings,
  restoredSettings,
  settingsDocument,
} from '../config/stored-settings.ts'
import {
  followerBucket,
  followersChangedAt,
  followersVersionDocument,
} from '../followers/followers.ts'
import { isLaterStoredLink, linkBucket, linksVersionDocument } from '../links/stored-links.ts'
import { linkUseBucket, storedUseAt } from '../links/link-use.ts'
import {
  restoredPresentationChange,
  presentationDocument,
} from '../representations/presentation-changed-at.ts'
import { syncBucket } from '../representations/sync-log.ts'
import { tokenBucket } from '../app/upstream-client.ts'
import { confirmationsBucket, replicasBucket } from '../store/replicas.ts'
import {
  isDocument,
  maxWindowMs,
  type DocumentName,
  type Expected,
  type StoredDocument,
  type StoredWindowEvent,
  type StoredItem,
} from '../store/store.ts'

/** Added to document revisions, so that pending writes of the old documents fail. */
const revisionLeap = 1_000_000

/** Buckets for the state of running processes, which is no longer valid after a restore. */
const transientBuckets: readonly string[] = [
  replicasBucket,
  confirmationsBucket,
  'admin-sessions',
  'admin-browsers',
  // Messages that have been sent since the backup must not be sent again.
  'alerts',
  'change-webhooks',
  'websub',
  'followers-state',
  'bounces',
  'deliveries',
  // Sync tokens that clients got since the backup would refer to different changes.
  syncBucket,
]

/** Context of a restore, in addition to the two versions of a document. */
type RestoreContext = {
  /** Time of the restore, in milliseconds since the epoch. */
  readonly now: number
  /** Public feeds of a store that has no setting for them, or undefined if the store is empty. */
  readonly defaultPublicFeeds: readonly string[] | undefined
}

/** Returns the document to restore, given the document in the current store. */
type Merge = (
  document: StoredDocument,
  before: StoredDocument | undefined,
  context: RestoreContext,
) => StoredDocument

/** Buckets in which the current store may have more or newer data than the backup, except followers. */
const merges: ReadonlyMap<string, Merge> = new Map([
  [
    linkBucket,
    (document, before) =>
      before && isLaterStoredLink(before.value, document.value) ? before : document,
  ],
  [
    linkUseBucket,
    (document, before) =>
      before && storedUseAt(before.value) > storedUseAt(document.value) ? before : document,
  ],
  [
    followersVersionDocument.bucket,
    (document, before) =>
      before && followersChangedAt(before) > followersChangedAt(document) ? before : document,
  ],
  [
    settingsDocument.bucket,
    (document, before, { defaultPublicFeeds }) => ({
      ...document,
      // The other documents are the logo and the emergency text.
      value: isSettings(document)
        ? restoredSettings(document.value, before?.value, defaultPublicFeeds)
        : document.value,
    }),
  ],
  // If the backup was made without the host, the ids must not change either.
  [idHostDocument.bucket, (document) => document],
  // The backup's token may be invalid, and a pause requested by the website must continue.
  [tokenBucket, (document, before) => before ?? document],
  [collectionBuckets.states, withValue(restoredState)],
  [collectionBuckets.items, (document) => document],
  [
    collectionBuckets.ledgers,
    withValue((value, before) => (before === undefined ? value : restoredLedger(value, before))),
  ],
  [presentationDocument.bucket, withValue(restoredPresentationChange)],
  // Otherwise, readers would get another notice for feeds that were made private since the backup.
  [publicFeedsDocument.bucket, (document, before) => before ?? document],
  // Apps ignore entries with an earlier modification time than the ones that they have.
  [entrySettingsBucket, (document, before) => before ?? document],
] satisfies [string, Merge][])

function withValue(
  merge: (value: string, before: string | undefined, now: number) => string,
): Merge {
  return (document, before, { now }) => ({
    ...document,
    value: merge(document.value, before?.value, now),
  })
}

const isSettings = (document: StoredDocument) => nameOf(document) === nameOf(settingsDocument)

/** Returns true for settings that keep no feed private, or that replace lost ones. */
function isDispensable(document: StoredDocument): boolean {
  if (!isSettings(document)) return false
  const { publicFeeds, isLost } = parseStoredSettings(document.value)
  return publicFeeds === undefined || isLost === true
}

export async function* itemsToBackUp(items: AsyncIterable<StoredItem>): AsyncGenerator<StoredItem> {
  for await (const item of items) {
    if (!isDocument(item) || !transientBuckets.includes(item.bucket)) yield item
  }
}

type CurrentStore = {
  readonly documents: number
  readonly idHost: string | undefined
  readonly revisions: ReadonlyMap<string, number>
  readonly known: ReadonlyMap<string, StoredDocument>
  /** Time of the first event in each window. */
  readonly countedSince: ReadonlyMap<string, number>
  /** Detects changes to feed links during the restore. */
  readonly links: Expected
}

/** Times of the backup and of the restore, in milliseconds since the epoch. */
type RestoreTimes = { readonly takenAt: number; readonly now: number }

type RestoreOptions = RestoreTimes & {
  /** Feeds that are public unless the stored settings say otherwise. */
  readonly publicFeeds: readonly string[]
  /** Buckets that the current store has lost. */
  readonly lost: readonly string[]
}

/** Returns the data in the current store that a restore must not revert. */
export async function readCurrentStore(items: AsyncIterable<StoredItem>): Promise<CurrentStore> {
  const revisions = new Map<string, number>()
  const known = new Map<string, StoredDocument>()
  const countedSince = new Map<string, number>()
  let idHost: string | undefined
  for await (const item of items) {
    if (isDocument(item)) {
      revisions.set(nameOf(item), item.revision)
      if (isIdHost(item)) idHost = idHostFrom(item.value)
      const isMerged = merges.has(item.bucket) || item.bucket === followerBucket
      if (isMerged) known.set(nameOf(item), item)
    } else {
      const { window, at } = item
      countedSince.set(window, Math.min(at, countedSince.get(window) ?? at))
    }
  }
  const revision = revisions.get(nameOf(linksVersionDocument)) ?? 0
  const links = { ...linksVersionDocument, revision }
  return { documents: revisions.size, idHost, revisions, known, countedSince, links }
}

/**
 * Merges a backup into the current store without reverting anything published. No link is lost or
 * reactivated, record revisions and times only increase, and API calls still count toward the budget.
 */
export async function* mergeBackup(
  backup: AsyncIterable<StoredItem>,
  before: CurrentStore,
  options: RestoreOptions,
): AsyncGenerator<StoredItem> {
  const { now, publicFeeds, lost } = options
  const context = { now, defaultPublicFeeds: before.documents > 0 ? publicFeeds : undefined }
  const onlyBefore = new Map(before.known)
  const placed = (document: StoredDocument): StoredDocument => {
    const known = before.revisions.get(nameOf(document)) ?? 0
    return { ...document, revision: Math.max(document.revision, known) + revisionLeap }
  }
  const followersInBackup: StoredDocument[] = []
  let changedAtInBackup = -Infinity
  for await (const item of backup) {
    if (!isDocument(item)) {
      yield item
      yield* estimatedSince(item, before, options)
      continue
    }
    const name = nameOf(item)
    if (name === nameOf(followersVersionDocument)) changedAtInBackup = followersChangedAt(item)
    const isExpired = (item.expiresAt ?? Infinity) <= now
    if (isExpired || isFollowSecret(item)) continue
    if (item.bucket === followerBucket) {
      followersInBackup.push(item)
      continue
    }
    onlyBefore.delete(name)
    yield placed(merges.get(item.bucket)?.(item, before.known.get(name), context) ?? item)
  }
  const followers = {
    inBackup: followersInBackup,
    changedAtInBackup,
    isLost: lost.includes(followerBucket),
  }
  for (const document of followersAfter(before, followers)) yield placed(document)
  for (const document of onlyBefore.values()) {
    if (isDispensable(document) || document.bucket === followerBucket) continue
    yield placed(merges.get(document.bucket)?.(document, document, context) ?? document)
  }
}

/**
 * Returns the followers after a restore, who are those of the store or of the backup, whichever changed
 * last. Otherwise, people who have unsubscribed would get messages again, and new ones would be gone. A
 * store that has lost its followers does not know who unsubscribed, so it gets all.
 */
function followersAfter(
  { known }: CurrentStore,
  backup: {
    readonly inBackup: readonly StoredDocument[]
    /** When a follower last changed, in milliseconds since the epoch. */
    readonly changedAtInBackup: number
    readonly isLost: boolean
  },
): readonly StoredDocument[] {
  const { inBackup, changedAtInBackup, isLost } = backup
  const inStore = [...known.values()].filter(({ bucket }) => bucket === followerBucket)
  const version = known.get(nameOf(followersVersionDocument))
  if (!isLost && version) {
    return followersChangedAt(version) < changedAtInBackup ? inBackup : inStore
  }
  const ids = new Set(inStore.map(({ id }) => id))
  return [...inStore, ...inBackup.filter(({ id }) => !ids.has(id))]
}

/**
 * Fills the gap between the backup and the first event in the current store. The events in that gap
 * are unknown, so this repeats the events from before the backup, assuming that the rate did not
 * change.
 */
function* estimatedSince(
  { window, id, at }: StoredWindowEvent,
  { countedSince }: CurrentStore,
  { takenAt, now }: RestoreTimes,
): Generator<StoredWindowEvent> {
  const unknownMs = Math.min(now - takenAt, maxWindowMs)
  const again = at + unknownMs
  if (unknownMs <= 0 || at <= takenAt - unknownMs) return
  if (again < (countedSince.get(window) ?? Infinity)) {
    yield { window, id: `${id} again`, at: again }
  }
}

function nameOf({ bucket, id }: DocumentName): string {
  return JSON.stringify([bucket, id])
}
