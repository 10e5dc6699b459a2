import { z } from 'zod'
import type { TimeSource } from '../../clock.ts'
import { parsedJson } from '../../json.ts'
import { isFeedResource, type FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import type { StoreAccess } from '../../store/store-error.ts'

const bucket = 'refused-endpoints'
const saving = 'saving refused endpoints'

const refusalSchema = z.object({ since: z.number(), at: z.number() })

/** First and latest refusal of an endpoint, in milliseconds since the epoch. */
export type Refusal = Readonly<z.infer<typeof refusalSchema>>

/** Endpoints that the API Project may not read. Replicas share the list, which survives restarts. */
export function createRefusedEndpoints(options: {
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
    const write = () => documents.write([{ bucket, id: resource, value }])
    if (await access.use(saving, write, false)) unsaved.delete(resource)
  }

  return {
    refusalOf: (resource: FeedResource) => known.get(resource),
    /** Loads changes stored by other replicas, and stores changes made while the store was down. */
    async pull(): Promise<void> {
      for (const resource of unsaved) await save(resource)
      const stored = await access.use('loading', () => documents.all(bucket), undefined)
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
