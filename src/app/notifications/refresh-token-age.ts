import { z } from 'zod'
import type { RefreshTokenAge } from '../../collections/status/observed-problems.ts'
import { parsedJson } from '../../links/stored-uses.ts'
import type { Documents } from '../../store/store.ts'

const document = { bucket: 'refresh-token', id: 'age' }

const storedAge = z.object({
  fingerprint: z.string(),
  firstUsedAt: z.number(),
  /** When the token was created, if an admin has entered the date. */
  createdAt: z.number().optional(),
})

type StoredAge = z.infer<typeof storedAge>

/**
 * Returns the age of the refresh token with this fingerprint. Stores the time of its first use. Rejects
 * with a `StoreError`.
 */
export async function refreshTokenAge(
  documents: Pick<Documents, 'get' | 'write'>,
  fingerprint: string,
  now: number,
): Promise<RefreshTokenAge> {
  const { firstUsedAt, createdAt } = await storedFor(documents, fingerprint, now)
  return { createdAt: createdAt ?? firstUsedAt, isEstimate: createdAt === undefined }
}

/** Stores when the refresh token was created. Rejects with a `StoreError`. */
export async function setRefreshTokenCreation(
  documents: Pick<Documents, 'get' | 'write'>,
  fingerprint: string,
  { createdAt, now }: { readonly createdAt: number; readonly now: number },
): Promise<void> {
  await store(documents, { ...(await storedFor(documents, fingerprint, now)), createdAt })
}

async function storedFor(
  documents: Pick<Documents, 'get' | 'write'>,
  fingerprint: string,
  now: number,
): Promise<StoredAge> {
  const { value = '' } = (await documents.get(document.bucket, document.id)) ?? {}
  const { data } = storedAge.safeParse(parsedJson(value))
  if (data?.fingerprint === fingerprint) return data
  const first = { fingerprint, firstUsedAt: now }
  await store(documents, first)
  return first
}

async function store(documents: Pick<Documents, 'write'>, age: StoredAge): Promise<void> {
  await documents.write([{ ...document, value: JSON.stringify(age) }])
}
