import type { Clock } from '../clock.ts'
import { settingsDocument } from '../config/stored-settings.ts'
import { isRunning } from '../store/replicas.ts'
import { retryWrite, type Documents } from '../store/store.ts'

/*
 * A command that restores a backup takes a site out of service. All replicas stop the site, while their
 * other sites keep running, and start it again as soon as the document below is gone. It expires, so that
 * the site also starts again if the command is killed.
 */
const outOfService = { bucket: 'signals', id: 'out of service' }
const lifetimeMs = 60_000

/** A killed replica counts as running for a minute, and open requests take up to ten seconds. */
export const maxWaitMs = 75_000
const checkMs = 250

export async function isOutOfService(documents: Documents): Promise<boolean> {
  return (await documents.get(outOfService.bucket, outOfService.id)) !== undefined
}

/** Stops the site in all replicas. Resolves to false if one of them does not stop it in time. */
export async function takeOutOfService(
  documents: Documents,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const giveUpAt = clock.now() + maxWaitMs
  if (!(await notifyReplicas(documents, clock.now()))) return false
  while (await isRunning(documents)) {
    if (clock.now() >= giveUpAt) return false
    await clock.sleep(checkMs)
    signal.throwIfAborted()
    await documents.write([{ ...outOfService, value: '', expiresAt: clock.now() + lifetimeMs }])
  }
  return true
}

/** Replicas notice it because they look for changed settings: the same settings get another revision. */
async function notifyReplicas(documents: Documents, now: number): Promise<boolean> {
  const { bucket, id } = settingsDocument
  const written = await retryWrite(async () => {
    const { value, revision } = (await documents.get(bucket, id)) ?? { value: '{}', revision: 0 }
    const until = { ...outOfService, value: '', expiresAt: now + lifetimeMs }
    const writes = [until, { bucket, id, value }]
    return (await documents.write(writes, { bucket, id, revision })) || undefined
  })
  return written === true
}

/** Lets the replicas start the site again. */
export async function returnToService(documents: Documents): Promise<void> {
  await documents.write([{ ...outOfService, value: undefined }])
}
