import { randomBytes } from 'node:crypto'
import { every } from '../clock.ts'
import { closedSettings, settingsDocument } from '../config/stored-settings.ts'
import { editLink } from '../links/link-edits.ts'
import { linkBucket } from '../links/stored-links.ts'
import { acceptance, lostWrite, restoredWrite } from '../store/losses.ts'
import { createStoreAccess } from '../store/store-error.ts'
import { retryWrite, type Store } from '../store/store.ts'
import type { Runtime } from './runtime.ts'

/** Interval at which documents that the store has lost are noticed and written back. */
const keepMs = 2_000

/** Interval at which the state of all sites' settings is recorded, which takes longer. */
const recordMs = 5_000

const lostText =
  'the store has lost documents, and nothing remembers them. Restore a backup, or check the settings on the admin page and save them'
const pausedText =
  'the latest changes to these feed links are lost, so they are paused until they are resumed on the admin page'
const closedText =
  'the stored settings are lost, so no feed is public until they are restored or saved'

/**
 * Makes all feeds private if the settings are lost, pauses the links of which changes are lost, and
 * reports what else is lost. Rejects with a `StoreError` if that cannot be stored.
 */
export async function closeAfterLoss(
  { documents, isFile, lost = () => [], outdated = () => [] }: Store,
  { clock, log }: Runtime,
): Promise<void> {
  const buckets = lost()
  if (buckets.length === 0) return
  const { bucket, id } = settingsDocument
  log.error({ buckets }, lostText)
  const links = buckets.includes(linkBucket) ? outdated(linkBucket) : []
  const change = { now: clock.now(), random: randomBytes }
  for (const link of links) await editLink(documents, link, { isPaused: true }, change)
  if (links.length > 0) log.error({ links }, pausedText)
  const isClosed = await retryWrite(async () => {
    const { value, revision = 0 } = (await documents.get(bucket, id)) ?? {}
    const closed = { ...settingsDocument, value: closedSettings(value) }
    const writes = [
      ...buckets.map(acceptance),
      ...(buckets.includes(bucket) ? [closed] : []),
      lostWrite({ at: clock.now(), buckets, isFile }),
    ]
    return (await documents.write(writes, { ...settingsDocument, revision })) || undefined
  })
  if (!isClosed) throw new Error('the lost settings could not be replaced')
  if (buckets.includes(bucket)) log.error({}, closedText)
}

/**
 * Records the state of all sites' settings until aborted, because Redis may have lost the latest when
 * this host starts a site that others have served.
 */
export function recordSettings(
  record: () => Promise<void>,
  { clock, log }: Runtime,
  signal: AbortSignal,
): Promise<void> {
  const access = createStoreAccess(log)
  return every(clock, recordMs, signal, () =>
    access.use('settings of all sites', record, undefined),
  )
}

/** Writes documents that the store has lost back, and says what this process remembers, until aborted. */
export function keepDocuments(
  { documents, isFile, keep, announce }: Store,
  { clock, log }: Runtime,
  signal: AbortSignal,
): Promise<void> {
  const access = createStoreAccess(log)
  return every(clock, keepMs, signal, () =>
    access.use(
      'stored documents',
      async () => {
        const buckets = (await keep?.()) ?? []
        await announce?.()
        if (buckets.length === 0) return
        log.warn({ buckets }, 'the store has lost documents, which were written back')
        await documents.write([restoredWrite({ at: clock.now(), buckets, isFile })])
      },
      undefined,
    ),
  )
}
