import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { returnToService, takeOutOfService } from '../app/out-of-service.ts'
import { backupItems, checkBackup } from '../backup/backup-file.ts'
import { countUnreadable, identityIn, type BackupIdentity } from '../backup/backup-identity.ts'
import { mergeBackup, readCurrentStore } from '../backup/merge-backup.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import {
  followSecretFile,
  knownFollowSecret,
  writeFollowSecret,
} from '../followers/follow-secret.ts'
import { followerBucket } from '../followers/followers.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { isRunning, replicasBucket } from '../store/replicas.ts'
import type { Store } from '../store/store.ts'
import { commandConfig, openStoreToRestore, siteOption } from './chosen-site.ts'
import {
  abortedOnStop,
  argumentDirectory,
  defineCommand,
  flag,
  onlyOperand,
  type CommandContext,
} from './command.ts'
import { showProgress } from './progress.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    replace: flag(
      'restore even if the store has data. Does not roll back links created or revoked since the backup, API call counts, or revision numbers of records',
    ),
    json: flag('print one JSON line'),
    ...siteOption,
  },
  help: (list) => `Usage: npx feedhouse restore FILE [--replace]

Restores a backup into the configured SQLite file or Redis server, completely or not at all. If
Feedhouse is running, the site is out of service meanwhile, and its other sites are not affected.

Use - as FILE for standard input.

${list()}`,
  takesOperands: true,
  async run({ values, operands, print }, context) {
    const file = onlyOperand(operands, 'restore FILE [--replace]; see --help.')
    const config = commandConfig(values, context)
    const { site, idHost } = config
    if (!site) throw new UsageError('SITE_URL is not set; the demo always starts from scratch.')
    const interrupted = new UsageError('The restore was interrupted. The store is unchanged.')
    const signal = abortedOnStop(context, interrupted)
    await using running = new AsyncDisposableStack()
    const { name, path } = await openSource(running, file, config, context, signal)
    using progress = showProgress(context, values)
    progress.report('Checking the backup')
    const { documents, events, site: siteUrl, takenAt } = await checkBackup(path, name, signal)
    async function* itemsNow() {
      let count = 0
      for await (const item of backupItems(path, name, signal)) {
        progress.report('Restoring', count++, documents + events)
        yield item
      }
    }
    const kept = await identityIn(itemsNow(), name)
    const oldHost = kept.idHost ?? new URL(siteUrl).hostname
    if (siteUrl !== site.url && idHost !== oldHost) {
      throw new UsageError(
        `${name} belongs to ${siteUrl}, but SITE_URL is ${site.url}. If the website has moved, set ID_HOST=${oldHost}.`,
      )
    }
    await using store = await openStoreToRestore(config, context)
    /** Reads the data that must not be reverted, and checks that the backup may replace it. */
    const readReplaceable = async () => {
      const before = await readCurrentStore(store.snapshot())
      if (before.documents > 0 && !values.replace) {
        throw new UsageError(
          `The store is not empty (${before.documents} documents). Use --replace to replace them with the backup.`,
        )
      }
      const idHostNow = idHost ?? before.idHost
      if (idHostNow !== undefined && kept.idHost !== undefined && idHostNow !== kept.idHost) {
        const source = idHost === undefined ? 'the ids in the store use' : 'ID_HOST is'
        throw new UsageError(
          `${name} has ids with the host ${kept.idHost}, but ${source} ${idHostNow}, and ids never change. Set ID_HOST=${kept.idHost} if subscribers have entries from the time of the backup.`,
        )
      }
      return before
    }
    const replace = async () => {
      const before = await readReplaceable()
      const options = {
        takenAt,
        now: systemClock.now(),
        publicFeeds: config.publicFeeds ?? defaultPublicFeeds,
        lost: await lostBuckets(store),
      }
      const emptyBucket = values.replace ? replicasBucket : undefined
      const condition = { emptyBucket, expected: before.links }
      return store.replace(mergeBackup(itemsNow(), before, options), condition)
    }
    await readReplaceable()
    // The restored site starts with it.
    if (kept.followSecret !== undefined) {
      writeFollowSecret(openDataDirectory(config.dataDirectory), kept.followSecret)
    }
    const isServed = await isRunning(store.documents)
    const isRestored = await (isServed
      ? whileOutOfService(store, context, signal, replace)
      : replace())
    if (!isRestored) {
      throw new UsageError('The store changed in the meantime, so nothing was restored. Try again.')
    }
    const at = new Date(takenAt).toISOString()
    progress.clear()
    print(
      { site: siteUrl, takenAt: at, documents, events },
      `Restored backup of ${siteUrl} taken ${at}: ${documents} documents, ${events} API calls.`,
    )
    const unreadable = countUnreadable(kept.addresses, knownFollowSecret(config))
    if (unreadable > 0) context.stderr.write(unreadableWarning(unreadable, config, kept))
  },
})

async function lostBuckets({ documents, lost }: Store): Promise<readonly string[]> {
  // Redis finds out that a bucket is lost when it is read.
  await documents.all(followerBucket)
  return lost?.() ?? []
}

function unreadableWarning(
  unreadable: number,
  { mailKey, dataDirectory }: Config,
  { followSecret }: BackupIdentity,
): string {
  const file = followSecretFile(dataDirectory)
  const replacing = `Delete ${file} and restore the backup again with --replace, unless people have started to follow with that file.`
  const setting = 'Set MAIL_KEY to the secret in the line with "mail.key" in the backup.'
  const own = mailKey === undefined ? replacing : setting
  const advice = followSecret === undefined ? 'Set MAIL_KEY to the secret from that time.' : own
  return `Warning: ${unreadable} followers in the backup cannot be reached, because their addresses were encrypted with another secret. ${advice}\n`
}

/** The site starts again, whether or not `work` succeeds. */
async function whileOutOfService<T>(
  { documents }: Store,
  { stderr }: CommandContext,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  stderr.write('Feedhouse is running. The site is out of service until the backup is restored.\n')
  try {
    if (!(await takeOutOfService(documents, systemClock, signal))) {
      throw new UsageError(
        'Feedhouse did not take the site out of service in time, so nothing was restored. Stop Feedhouse first.',
      )
    }
    return await work()
  } finally {
    await returnToService(documents)
  }
}

/** Opens a source that can be read twice: first to verify the whole backup, then to restore it. */
async function openSource(
  running: AsyncDisposableStack,
  file: string,
  { dataDirectory }: Config,
  context: CommandContext,
  signal: AbortSignal,
) {
  if (file !== '-') {
    const path = resolve(argumentDirectory(context), file)
    return { name: `The backup ${file}`, path }
  }
  const path = join(openDataDirectory(dataDirectory), `restore-${randomUUID()}`)
  const handle = running.use(await open(path, 'wx+', 0o600))
  // Unlink the file while it is open, so that even a killed process leaves nothing behind.
  await rm(path)
  try {
    await pipeline(context.stdin, (source) => handle.writeFile(source), { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
  return { name: 'The backup on standard input', path: handle }
}
