import { once } from 'node:events'
import { connect } from 'node:tls'
import { z } from 'zod'
import { hourMs, type TimeSource } from '../../clock.ts'
import type {
  LinkActivity,
  Observations,
  RefreshTokenAge,
} from '../../collections/status/observed-problems.ts'
import { isOpen } from '../../links/feed-link.ts'
import { storedLinks } from '../../links/stored-links.ts'
import { parsedJson } from '../../json.ts'
import type { Validity } from '../../records/validity.ts'
import { diskSpace } from '../../store/data-directory.ts'
import { withFallback } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'
import { certificateFrom } from '../../upstream/certificate.ts'

/** Certificates and link usage change slowly. */
const slowMs = 6 * hourMs
const retryMs = hourMs

const connectTimeoutMs = 10_000

export function createObserver(options: {
  readonly documents: Documents
  readonly publicUrl: string
  /** Directory with the store, or undefined if the store is elsewhere. */
  readonly dataDirectory: string | undefined
  readonly refreshTokenFingerprint: () => string
  readonly clock: TimeSource
}): () => Promise<Observations> {
  const { documents, publicUrl, dataDirectory, refreshTokenFingerprint, clock } = options
  const certificate = slowly(clock, () => certificateOf(publicUrl))
  const { refreshTokenAge } = createRefreshTokenAge(documents, refreshTokenFingerprint, clock)
  const links = slowly(clock, () => linkActivity(documents, clock.now()))
  return async () => ({
    disk: dataDirectory === undefined ? undefined : await diskSpace(dataDirectory),
    certificate: await certificate(),
    refreshToken: await withFallback(refreshTokenAge),
    links: await links(),
  })
}

/** Repeats `work` only after a few hours, or sooner if its result is unknown. */
function slowly<T>(clock: TimeSource, work: () => Promise<T | undefined>) {
  let latest: T | undefined
  let nextAt = -Infinity
  return async () => {
    if (clock.now() < nextAt) return latest
    latest = await work()
    nextAt = clock.now() + (latest === undefined ? retryMs : slowMs)
    return latest
  }
}

/** Returns the validity of the certificate at an https URL, or undefined without a connection. */
export async function certificateOf(publicUrl: string): Promise<Validity | undefined> {
  const { protocol, hostname: host, port } = new URL(publicUrl)
  if (protocol !== 'https:') return undefined
  // An expired or untrusted certificate also has dates, and nothing is sent.
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(connectTimeoutMs) })
    return certificateFrom(socket)
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

function linkActivity(
  documents: Documents,
  now: number,
): Promise<readonly LinkActivity[] | undefined> {
  return withFallback(async () =>
    (await storedLinks(documents))
      .filter((link) => isOpen(link, now))
      .map(({ id, createdAt, lastUse, fetches = [] }) => ({
        id,
        createdAt,
        lastUsedAt: lastUse?.at,
        appsUsedAt: fetches.map(({ at }) => at),
      })),
  )
}

const ageDocument = { bucket: 'refresh-token', id: 'age' }

const storedAge = z.object({
  fingerprint: z.string(),
  firstUsedAt: z.number(),
  /** Creation time of the token, if an admin has entered the date. */
  createdAt: z.number().optional(),
})

type StoredAge = z.infer<typeof storedAge>

/** Reads and changes the age of the refresh token in use. Its functions reject with a `StoreError`. */
export function createRefreshTokenAge(
  documents: Documents,
  fingerprint: () => string,
  { now }: TimeSource,
) {
  async function current(): Promise<StoredAge> {
    const { value = '' } = (await documents.get(ageDocument.bucket, ageDocument.id)) ?? {}
    const { data } = storedAge.safeParse(parsedJson(value))
    if (data?.fingerprint === fingerprint()) return data
    return store({ fingerprint: fingerprint(), firstUsedAt: now() })
  }

  async function store(age: StoredAge): Promise<StoredAge> {
    await documents.write([{ ...ageDocument, value: JSON.stringify(age) }])
    return age
  }

  return {
    /** Returns the age since the first use, unless an admin has entered the date of creation. */
    refreshTokenAge: async (): Promise<RefreshTokenAge> => {
      const { firstUsedAt, createdAt } = await current()
      return { createdAt: createdAt ?? firstUsedAt, isEstimate: createdAt === undefined }
    },
    setRefreshTokenCreation: async (createdAt: number): Promise<void> => {
      await store({ ...(await current()), createdAt })
    },
  }
}
