import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import { ledgerEntrySchema } from '../../records/recorded-change.ts'
import { isFeedResource, type FeedResource } from '../../records/resources.ts'
import { retryWrite, type Document, type Documents, type Write } from '../../store/store.ts'
import type { CopyVersion } from '../collection.ts'
import {
  acceptHeldReading,
  copyFromItems,
  copyStateSchema,
  type CollectionCopy,
} from './collection-copy.ts'
import { mergedLedger } from './ledger.ts'
import { jsonOf, unpackItems } from './packed-items.ts'

export const collectionBuckets = {
  /** State without the content. It is kept small because every replica polls it. */
  states: 'collections',
  items: 'items',
  ledgers: 'ledgers',
  heldItems: 'held-items',
}

const stateSchema = copyStateSchema.extend({
  version: z.string(),
  /** Id of the items and ledger that belong to this state. */
  contentId: z.string(),
  fetchedAt: z.number(),
  changedAt: z.number(),
  ages: z.record(z.string(), z.number()).optional().catch(undefined),
  partNames: z.record(z.string(), z.string()).optional().catch(undefined),
  pictureTypes: z.record(z.string(), z.string()).optional().catch(undefined),
})

export type State = z.infer<typeof stateSchema>

export type StoredState = State & {
  /** Revision of the stored document, or 0 if it does not exist. */
  readonly revision: number
}

/** Replaces an unreadable state. Older than any other state, so that it is overwritten. */
const unreadable: State = {
  version: '',
  contentId: '',
  fetchedAt: 0,
  changedAt: 0,
  readAt: 0,
  calls: 1,
  details: {},
  rejectedSince: {},
}

export async function storedStates(
  documents: Documents,
): Promise<ReadonlyMap<FeedResource, StoredState>> {
  const states = await createStateReader(documents)()
  return new Map([...states].map(([resource, { parsed }]) => [resource, parsed()]))
}

/** A stored state that is parsed only when it is needed. */
export type StateDocument = { readonly revision: number; readonly parsed: () => StoredState }

/** Like `storedStates`, for repeated use. Parses only the states that have changed. */
export function createStateReader(
  documents: Documents,
): () => Promise<ReadonlyMap<FeedResource, StateDocument>> {
  let known: ReadonlyMap<string, StateDocument & Document> = new Map()

  function read(resource: string, { value, revision }: Document): StateDocument & Document {
    const before = known.get(resource)
    if (before?.value === value && before.revision === revision) return before
    let state: StoredState | undefined
    const parsed = () => {
      state ??= { ...(stateSchema.safeParse(parsedJson(value)).data ?? unreadable), revision }
      return state
    }
    return { value, revision, parsed }
  }

  return async () => {
    const all = [...(await documents.all(collectionBuckets.states))]
    known = new Map(all.map(([resource, document]) => [resource, read(resource, document)]))
    return new Map(
      [...known].flatMap(([resource, document]) =>
        isFeedResource(resource) ? [[resource, document]] : [],
      ),
    )
  }
}

/** Saves a changed state without its content. Resolves to false if the stored revision has changed. */
export async function saveState(
  documents: Documents,
  resource: FeedResource,
  { revision, ...state }: StoredState,
): Promise<boolean> {
  const document = { bucket: collectionBuckets.states, id: resource }
  return documents.write([{ ...document, value: JSON.stringify(state) }], { ...document, revision })
}

/** Resolves to undefined if the stored content does not match the state. */
export async function loadKept<R extends FeedResource>(
  documents: Documents,
  resource: R,
  state: StoredState,
): Promise<CollectionCopy<R> | undefined> {
  const [items, ledger] = await Promise.all([
    documents.get(collectionBuckets.items, resource),
    documents.get(collectionBuckets.ledgers, resource),
  ])
  const content = contentSchema.safeParse(parsedJson(items?.value ?? '')).data
  const entries = ledgerSchema.safeParse(parsedJson(ledger?.value ?? '')).data
  const { contentId } = state
  if (content?.contentId !== contentId || entries?.contentId !== contentId) return undefined
  return copyFromItems(resource, content.items, {
    ...restOf(state),
    collection: { ...timesOf(state), ledger: new Map(entries.entries) },
  })
}

export function keptWithState<R extends FeedResource>(
  kept: CollectionCopy<R>,
  state: StoredState,
): CollectionCopy<R> {
  return { ...kept, ...restOf(state), collection: { ...kept.collection, ...timesOf(state) } }
}

/** Saves a copy. Resolves to false if the stored revision has changed. */
export async function saveKept(
  documents: Documents,
  resource: FeedResource,
  kept: CollectionCopy,
  options: {
    readonly revision: number
    readonly contentId: string
    /** True if the items or the ledger differ from the stored ones. */
    readonly isContentNew: boolean
    /** Held items. If undefined, the stored items are kept. */
    readonly heldItems: readonly unknown[] | undefined
  },
): Promise<boolean> {
  const { revision, contentId, isContentNew, heldItems } = options
  const id = resource
  const state = JSON.stringify({ ...timesOf(kept.collection), ...restOf(kept), contentId })
  const writes: Write[] = [{ bucket: collectionBuckets.states, id, value: state }]
  if (isContentNew) {
    const items = await jsonOf(await unpackItems(kept.items))
    const entries = await jsonOf([...kept.collection.ledger])
    const rest = `"contentId":${JSON.stringify(contentId)}`
    writes.push(
      { bucket: collectionBuckets.items, id, value: `{${rest},"items":${items}}` },
      { bucket: collectionBuckets.ledgers, id, value: `{${rest},"entries":${entries}}` },
    )
  }
  if (!kept.held || heldItems) {
    const value = heldItems && (await jsonOf(heldItems))
    writes.push({ bucket: collectionBuckets.heldItems, id, value })
  }
  return documents.write(writes, { bucket: collectionBuckets.states, id, revision })
}

export async function loadHeldItems(
  documents: Documents,
  resource: FeedResource,
): Promise<readonly unknown[] | undefined> {
  const stored = await documents.get(collectionBuckets.heldItems, resource)
  return z.array(z.unknown()).safeParse(parsedJson(stored?.value ?? '')).data
}

const contentSchema = z.object({ contentId: z.string(), items: z.array(z.unknown()) })

const ledgerSchema = z.object({
  contentId: z.string(),
  entries: z.array(z.tuple([z.number(), ledgerEntrySchema])),
})

/**
 * Merges the current ledger into a restored one, so that clients never see revisions or times
 * decrease. Returns the restored ledger unchanged if either is unreadable.
 */
export function restoredLedger(text: string, before: string): string {
  const [restored, known] = [text, before].map(
    (one) => ledgerSchema.safeParse(parsedJson(one)).data,
  )
  if (!restored || !known) return text
  const merged = mergedLedger(new Map(restored.entries), new Map(known.entries))
  return JSON.stringify({ contentId: restored.contentId, entries: [...merged] })
}

/**
 * Returns the state to store after a restore. A held loss starts counting readings again, because
 * there were none in the meantime. If an admin chose to keep holding it, that remains in effect.
 */
export function restoredState(text: string, before: string | undefined, now: number): string {
  const restored = stateSchema.safeParse(parsedJson(text)).data
  if (!restored?.held) return text
  const known = stateSchema.safeParse(parsedJson(before ?? '')).data
  const isHeldByRequest = restored.held.isHeldByRequest || known?.held?.isHeldByRequest === true
  const held = { ...restored.held, firstReadAt: now, readings: 0, isHeldByRequest }
  return JSON.stringify({ ...restored, held })
}

function timesOf(stored: Omit<CopyVersion, 'ledger'>) {
  const { version, fetchedAt, changedAt, ages, partNames, pictureTypes } = stored
  return { version, fetchedAt, changedAt, ages, partNames, pictureTypes }
}

function restOf(stored: Omit<State, 'contentId' | keyof CopyVersion>) {
  const { readAt, calls, held, lossAt, clock, details, rejectedSince } = stored
  return { readAt, calls, held, lossAt, clock, details, rejectedSince }
}

type Undecided = { readonly ok: false; readonly reason: 'not held' | 'contended' }

export type AcceptResult =
  | { readonly ok: true; readonly records: number }
  | { readonly ok: false; readonly reason: 'changed meanwhile' }
  | Undecided

export type KeepResult = { readonly ok: true } | Undecided

/** If `version` is given, the reading must still have that version. Rejects with a `StoreError`. */
export function acceptHeld(
  documents: Documents,
  resource: FeedResource,
  { now, version }: { readonly now: number; readonly version?: string },
): Promise<AcceptResult> {
  return decide<AcceptResult>(documents, resource, async (state, held) => {
    if (version !== undefined && version !== held.version) {
      return { ok: false, reason: 'changed meanwhile' }
    }
    const before = await loadKept(documents, resource, state)
    const heldItems = await loadHeldItems(documents, resource)
    if (!before || !heldItems) return undefined
    const kept = await acceptHeldReading(resource, before, heldItems, now)
    const content = { contentId: randomUUID(), isContentNew: true }
    const change = { revision: state.revision, ...content, heldItems: undefined }
    const isSaved = await saveKept(documents, resource, kept, change)
    return isSaved ? { ok: true, records: kept.collection.records.length } : undefined
  })
}

/** Keeps holding a collection, even if further readings agree. Rejects with a `StoreError`. */
export function keepHolding(documents: Documents, resource: FeedResource): Promise<KeepResult> {
  return decide<KeepResult>(documents, resource, async (state, before) => {
    const held = { ...before, isHeldByRequest: true }
    return (await saveState(documents, resource, { ...state, held })) ? { ok: true } : undefined
  })
}

async function decide<T>(
  documents: Documents,
  resource: FeedResource,
  attempt: (state: StoredState, held: NonNullable<StoredState['held']>) => Promise<T | undefined>,
): Promise<T | Undecided> {
  const result = await retryWrite<T | Undecided>(async () => {
    const state = (await storedStates(documents)).get(resource)
    if (!state?.held) return { ok: false, reason: 'not held' }
    return attempt(state, state.held)
  })
  return result ?? { ok: false, reason: 'contended' }
}
