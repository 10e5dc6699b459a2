import { randomBytes } from 'node:crypto'
import { diskFailure } from './data-directory.ts'
import { withFallback, type StoreError } from './store-error.ts'
import type { Documents } from './store.ts'

/* What commands and the running service tell each other. Functions reject with a `StoreError`. */

/** Document whose revision increases whenever an operator reports a fix. */
const tryAgain = { bucket: 'signals', id: 'try again' }

/** Tells running services to retry immediately. */
export async function requestRetry(documents: Documents): Promise<void> {
  await documents.write([{ ...tryAgain, value: '' }])
}

export async function retryRequestCount(documents: Documents): Promise<number> {
  return (await documents.get(tryAgain.bucket, tryAgain.id))?.revision ?? 0
}

/** Settings of the running service, which commands may not be able to read from the environment. */
export type ServiceSettings = {
  /** Base URL of links in feeds and pages. */
  readonly publicUrl: string
  /** IANA time zone of the website. */
  readonly timeZone: string
}

const serviceSettings = { bucket: 'service', id: 'public address' }

/** Does nothing if the store is down. */
export async function storeServiceSettings(documents: Documents, settings: ServiceSettings) {
  const value = JSON.stringify(settings)
  await withFallback(() => documents.write([{ ...serviceSettings, value }]))
}

/** Returns the settings that the service last stored, or undefined if it has never run. */
export async function storedServiceSettings(documents: Documents) {
  const stored = await documents.get(serviceSettings.bucket, serviceSettings.id)
  return stored && (JSON.parse(stored.value) as ServiceSettings)
}

/*
 * A probe is a secret that the check command stores for two minutes. If the service at PUBLIC_URL
 * recognizes it, that service uses the same store and reports how the request reached it.
 */
const probeBucket = 'probes'
const probeLifetimeMs = 2 * 60_000
const probeKeyBytes = 20
const probeKeyPattern = /^[\da-f]{40}$/

export async function openProbe(documents: Documents, now: number): Promise<string> {
  const id = randomBytes(probeKeyBytes).toString('hex')
  const expiresAt = now + probeLifetimeMs
  await documents.write([{ bucket: probeBucket, id, value: '', expiresAt }])
  return id
}

export async function isOpenProbe(documents: Documents, key: string): Promise<boolean> {
  return probeKeyPattern.test(key) && (await documents.get(probeBucket, key)) !== undefined
}

/** Returns an error if nothing can be stored. `directory` is undefined for a store elsewhere. */
export async function writeFailure(
  documents: Documents,
  directory: string | undefined,
  now: number,
): Promise<StoreError | undefined> {
  const full = await diskFailure(directory)
  const write = async () => void (await openProbe(documents, now))
  return full ?? withFallback(write, (error) => error)
}
