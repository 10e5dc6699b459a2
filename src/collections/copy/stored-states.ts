import { z } from 'zod'
import { isFeedResource, type FeedResource } from '../../records/resources.ts'
import type { Document, Documents } from '../../store/store.ts'

export const collectionBuckets = {
  /** State without the content. It is kept small because every replica polls it. */
  states: 'collections',
  items: 'items',
  ledgers: 'ledgers',
  heldItems: 'held-items',
}

export const stateSchema = z.object({
  version: z.string(),
  /** Id of the items and ledger that belong to this state. */
  contentId: z.string(),
  fetchedAt: z.number(),
  changedAt: z.number(),
  readAt: z.number(),
  calls: z.number(),
  held: z
    .object({
      since: z.number(),
      version: z.string(),
      records: z.number(),
      firstReadAt: z.number(),
      readings: z.number(),
      // Missing from data that older versions stored.
      isUnreadable: z.boolean().default(false),
      lostIds: z.array(z.number()).readonly().default([]),
      needsAcceptance: z.boolean().default(false),
      isHeldByRequest: z.boolean().default(false),
    })
    .optional(),
  lossAt: z.number().optional(),
  // Missing from data that older versions stored.
  clock: z.object({ generated: z.string(), at: z.number() }).optional(),
  details: z.record(z.string(), z.object({ readAt: z.number(), modified: z.string() })),
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
}

type States = ReadonlyMap<FeedResource, StoredState>

/** Returns the stored states of all collections. Rejects with a `StoreError`. */
export function storedStates(documents: Documents): Promise<States> {
  return createStateReader(documents)()
}

/** Like `storedStates`, for repeated use. Parses only the states that have changed. */
export function createStateReader(documents: Documents): () => Promise<States> {
  let known: ReadonlyMap<string, { readonly document: Document; readonly state: StoredState }>
  known = new Map()

  function read(resource: string, document: Document) {
    const before = known.get(resource)
    const { value, revision } = document
    if (before?.document.value === value && before.document.revision === revision) return before
    const state = stateSchema.safeParse(parsed(value)).data ?? unreadable
    return { document, state: { ...state, revision } }
  }

  return async () => {
    const all = [...(await documents.all(collectionBuckets.states))]
    known = new Map(all.map(([resource, document]) => [resource, read(resource, document)]))
    return new Map(
      [...known].flatMap(([resource, { state }]) =>
        isFeedResource(resource) ? [[resource, state]] : [],
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

/** Returns undefined for invalid JSON. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : withContentId(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Adds the content id to data of the first versions, in which the version of the records is the id. */
function withContentId(value: unknown): unknown {
  const isOld = typeof value === 'object' && value !== null && !('contentId' in value)
  return isOld && 'version' in value ? { ...value, contentId: value.version } : value
}
