import { z } from 'zod'
import type { Clock, TimeSource } from '../../clock.ts'
import { parsedJson } from '../../json.ts'
import type { Logger } from '../../log.ts'
import { databaseFieldsFrom, databaseItem } from '../../records/custom-database.ts'
import type { PictureTypes } from '../../records/picture-types.ts'
import { knownPart } from '../../records/known-part.ts'
import {
  databaseIdFrom,
  endpointOf,
  isFeedResource,
  type FeedResource,
} from '../../records/resources.ts'
import { siteTimeAt, type SiteDateTime } from '../../records/site-time.ts'
import { createStoreAccess, type StoreAccess, type StoreError } from '../../store/store-error.ts'
import type { Documents, Store } from '../../store/store.ts'
import type { DataService } from '../../upstream/data-service.ts'
import type { Page } from '../../upstream/envelope.ts'
import type { Priority } from '../../upstream/throttle.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Collection } from '../collection.ts'
import {
  applyReading,
  withPictureTypes,
  type CollectionCopy,
  type FetchResult,
} from './collection-copy.ts'
import { createCollectionRepository } from './collection-repository.ts'
import { detailedResource, rulesFor, type DayWindow } from './resource-rules.ts'
import { createReadingLeases } from './reading-leases.ts'
import { withDetailsOf } from './content.ts'
import { readSheetDetails, withDetails, type SheetToRead } from './sign-up-details.ts'
import { retryRequestCount } from '../../store/service-signals.ts'

export type CollectionSync = {
  readonly kept: <R extends FeedResource>(resource: R) => CollectionCopy<R> | undefined
  /** Returns the API's error for as long as the API Project lacks permission. */
  readonly refusalOf: (resource: FeedResource) => Refusal | undefined
  readonly isUpToDate: () => boolean
  /** Resolves to false if there is nothing new in the store. */
  readonly pull: () => Promise<boolean>
  readonly deleteUnneeded: () => Promise<void>
  /**
   * Reads a collection if it is still due. Resolves to false if another replica is reading it. Rejects
   * with an `UpstreamError`, without changing the copy.
   */
  readonly refresh: (
    resource: FeedResource,
    options: { readonly priority: () => Priority; readonly isDue: () => boolean },
  ) => Promise<boolean>
  /** Reads a sign-up sheet's details. Resolves and rejects like `refresh`. */
  readonly refreshDetail: (sheet: SheetToRead) => Promise<boolean>
  readonly storeFailure: () => StoreError | undefined
  readonly consumeRetryRequest: () => Promise<boolean>
  /** Resolves to false if another replica has the lease. Without the store, every replica gets it. */
  readonly isAlone: (name: string, ttlMs: number) => Promise<boolean>
}

export type CollectionSyncOptions = {
  readonly dataService: DataService
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Resources with at least one reader. */
  readonly resources: () => readonly FeedResource[]
  readonly siteTimeZone: string
  readonly window: DayWindow
  readonly holder: string
  /** Returns the known types of the collection's pictures. By default, they stay the same. */
  readonly pictureTypesIn?: (collection: Collection) => PictureTypes | undefined
  readonly onChange: () => void
}

/** Reads collections from the data service, one replica at a time, and stores the last good copies. */
export function createCollectionSync(options: CollectionSyncOptions): CollectionSync {
  const { dataService, store, clock, log, resources, siteTimeZone, window, holder, onChange } =
    options
  const { pictureTypesIn = (collection) => collection.pictureTypes } = options
  const { documents } = store
  const access = createStoreAccess(log)
  const leases = createReadingLeases(store.leases, access, clock, holder)
  const copies = createCollectionRepository({ documents, access, resources, onChange, log })
  const refused = createRefusedEndpoints({ documents, access, clock })

  const otherLossesAt = (resource: FeedResource) =>
    resources()
      .filter((other) => other !== resource)
      .flatMap((other) => copies.kept(other)?.lossAt ?? [])

  let pulledVersion: string | undefined

  function currentVersion(): string | undefined {
    const stored = store.version()
    return stored && `${stored} ${resources().join()}`
  }

  /** Returns true if the store is known to have nothing new, and nothing has failed. */
  const isUpToDate = (version = currentVersion()) =>
    version !== undefined && version === pulledVersion && !access.failure()

  let knownRevision: number | undefined

  async function consumeRetryRequest(): Promise<boolean> {
    const revision = await access.use('loading', () => retryRequestCount(documents), undefined)
    if (revision === undefined) return false
    const isRequested = knownRevision !== undefined && revision > knownRevision
    knownRevision = revision
    return isRequested
  }

  async function readOrRefused(
    resource: FeedResource,
    priority: () => Priority,
  ): Promise<FetchResult> {
    try {
      const siteNow = siteTimeAt(clock.now(), siteTimeZone)
      return await readItems(dataService, resource, { siteNow, window, priority })
    } catch (error) {
      const isRefused = error instanceof UpstreamError && error.kind === 'endpoint_not_allowed'
      if (isRefused) await refused.noteRefused(resource)
      throw error
    }
  }

  return {
    kept: copies.kept,
    refusalOf(resource) {
      const refusal = refused.refusalOf(resource)
      const { readAt = 0 } = copies.kept(resource) ?? {}
      return refusal && refusal.at > readAt ? refusal : undefined
    },
    isUpToDate: () => isUpToDate(),
    async pull() {
      const version = currentVersion()
      if (isUpToDate(version)) return false
      await copies.pull()
      await refused.pull()
      // Retries loading or saving that failed earlier.
      pulledVersion = access.failure() ? undefined : version
      await leases.retry()
      return true
    },
    deleteUnneeded: () => copies.deleteUnneeded(clock.now()),
    refresh: (resource, { priority, isDue }) =>
      leases.alone(resource, async () => {
        await copies.pull()
        if (!isDue()) return
        const reading = await readOrRefused(resource, priority)
        await copies.publish(resource, async (before) => {
          const now = clock.now()
          const change = await applyReading(resource, before, reading, now, otherLossesAt(resource))
          return withPictureTypes(change, pictureTypesIn(change.kept.collection))
        })
        await refused.noteRead(resource)
      }),
    refreshDetail: (sheet) =>
      leases.alone(detailedResource, async () => {
        const details = await readSheetDetails(dataService, sheet.id)
        await copies.publish(detailedResource, (before) =>
          withDetails(before, sheet, details, clock.now()),
        )
      }),
    storeFailure: access.failure,
    consumeRetryRequest,
    isAlone: leases.take,
  }
}

export async function readItems(
  dataService: DataService,
  resource: FeedResource,
  options: {
    readonly siteNow: SiteDateTime
    readonly window: DayWindow
    readonly priority: () => Priority
  },
): Promise<FetchResult> {
  const { siteNow, window, priority } = options
  const query = rulesFor(resource).queryFor?.(siteNow.slice(0, 10), window) ?? {}
  const part = (page: Page) => ({
    ...page,
    items: knownItems(resource, page),
    sheet: undefined,
    fields: undefined,
  })
  const listing = await dataService.readListing(endpointOf(resource), query, priority, part)
  const { pageHashes, calls, generated } = listing
  const { StartDate: from, EndDate: to } = query
  const days = from && to ? { from, to } : undefined
  const items = async () => (await listing.pages()).items
  return { items, pageHashes, calls, days, siteNow, generated }
}

function knownItems(resource: FeedResource, { items, fields }: Page): unknown[] {
  if (databaseIdFrom(resource) !== undefined) {
    const listed = databaseFieldsFrom(fields)
    return items.map((item) => knownPart(resource, databaseItem(item, listed)))
  }
  const known = items.map((item) => knownPart(resource, item))
  // Feedhouse stores details in this property, which listings do not have.
  return resource === detailedResource ? known.map((item) => withDetailsOf(item, undefined)) : known
}

const refusalBucket = 'refused-endpoints'
const savingRefusals = 'saving refused endpoints'

const refusalSchema = z.object({ since: z.number(), at: z.number() })

/** First and latest refusal of an endpoint, in milliseconds since the epoch. */
export type Refusal = Readonly<z.infer<typeof refusalSchema>>

/** Endpoints that the API Project may not read. Replicas share the list, which survives restarts. */
function createRefusedEndpoints(options: {
  readonly documents: Documents
  readonly access: StoreAccess
  readonly clock: TimeSource
}) {
  const { documents, access, clock } = options
  const known = new Map<FeedResource, Refusal>()
  const unsaved = new Set<FeedResource>()

  function put(resource: FeedResource, refusal: Refusal | undefined): void {
    if (refusal) known.set(resource, refusal)
    else known.delete(resource)
  }

  async function save(resource: FeedResource): Promise<void> {
    const refusal = known.get(resource)
    const value = refusal && JSON.stringify(refusal)
    unsaved.add(resource)
    const write = () => documents.write([{ bucket: refusalBucket, id: resource, value }])
    if (await access.use(savingRefusals, write, false)) unsaved.delete(resource)
  }

  return {
    refusalOf: (resource: FeedResource) => known.get(resource),
    /** Loads changes stored by other replicas, and stores changes made while the store was down. */
    async pull(): Promise<void> {
      for (const resource of unsaved) await save(resource)
      const stored = await access.use('loading', () => documents.all(refusalBucket), undefined)
      if (!stored) return
      for (const resource of new Set([...known.keys(), ...stored.keys()])) {
        if (!isFeedResource(resource) || unsaved.has(resource)) continue
        put(resource, refusalSchema.safeParse(parsedJson(stored.get(resource)?.value ?? '')).data)
      }
    },
    async noteRefused(resource: FeedResource): Promise<void> {
      const now = clock.now()
      put(resource, { since: known.get(resource)?.since ?? now, at: now })
      await save(resource)
    },
    async noteRead(resource: FeedResource): Promise<void> {
      if (!known.has(resource)) return
      put(resource, undefined)
      await save(resource)
    },
  }
}
