import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { idHostIn, readCurrentStore, mergeBackup } from '../backup/merge-backup.ts'
import { backupItems, checkBackup, type BackupSource } from '../backup/backup-file.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { isRunning, replicasBucket } from '../store/replicas.ts'
import type { Store } from '../store/store.ts'
import { argumentDirectory, type Command, type CommandContext } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openConfiguredStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse restore FILE [--replace]

Restores a backup into the configured SQLite file or Redis server, completely or not at all. Stop
every Feedhouse process that uses the store first.

Use - as FILE for standard input.

  --replace    restore even if the store has data. Does not roll back links created or revoked since
               the backup, API call counts, or revision numbers of records
  --json       print one JSON line
  --site NAME  name of the site, if SITES_FILE lists several
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, replace: { type: 'boolean' }, json: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) {
    throw new UsageError('Usage: restore FILE [--replace]; see --help.')
  }
  const config = commandConfig(values, context)
  const { site } = config
  if (!site) throw new UsageError('SITE_URL is not set; the demo always starts from scratch.')
  const stopping = new AbortController()
  const { signal } = stopping
  void context
    .stopSignal()
    .then(() =>
      stopping.abort(new UsageError('The restore was interrupted. The store is unchanged.')),
    )
  await using source = await openSource(file, config, context, signal)
  const { name, path } = source
  const { documents, happenings, site: siteUrl, takenAt } = await checkBackup(path, name, signal)
  const backupIdHost = (await idHostIn(backupItems(path, name, signal))) ?? hostFromUrl(siteUrl)
  if (siteUrl !== site.url && config.idHost !== backupIdHost) {
    throw new UsageError(
      `${name} belongs to ${siteUrl}, but SITE_URL is ${site.url}. If the website has moved, set ID_HOST=${backupIdHost}.`,
    )
  }
  await using store = await openConfiguredStore(config, context.stderr)
  await restoreInto(store, {
    name,
    path,
    takenAt,
    signal,
    isReplacing: values.replace ?? false,
    backupIdHost,
    idHost: config.idHost,
  })
  const at = new Date(takenAt).toISOString()
  const line = { site: siteUrl, takenAt: at, documents, happenings }
  context.stdout.write(
    values.json
      ? `${JSON.stringify(line)}\n`
      : `Restored backup of ${siteUrl} taken ${at}: ${documents} documents, ${happenings} API calls.\n`,
  )
}

export const restoreCommand: Command = { help, run }

async function restoreInto(
  store: Store,
  options: {
    readonly name: string
    readonly path: BackupSource
    readonly takenAt: number
    readonly signal: AbortSignal
    readonly isReplacing: boolean
    readonly backupIdHost: string
    /** The setting ID_HOST. */
    readonly idHost: string | undefined
  },
): Promise<void> {
  const { name, path, takenAt, signal, isReplacing } = options
  if (await isRunning(store.documents)) {
    throw new UsageError(
      'Feedhouse is running on this store. Stop it first. If it was killed, wait a minute.',
    )
  }
  const before = await readCurrentStore(store.snapshot())
  if (before.documents > 0 && !isReplacing) {
    throw new UsageError(
      `The store is not empty (${before.documents} documents). Use --replace to replace them with the backup.`,
    )
  }
  const { backupIdHost, idHost = before.idHost } = options
  if (idHost !== undefined && idHost !== backupIdHost) {
    throw new UsageError(
      `${name} has ids with the host ${backupIdHost}, but ${options.idHost === undefined ? `the ids in the store use ${idHost}` : `ID_HOST is ${idHost}`}, and ids never change. Set ID_HOST=${backupIdHost} if subscribers have entries from the time of the backup.`,
    )
  }
  const now = systemClock.now()
  const isRestored = await store.replace(
    mergeBackup(backupItems(path, name, signal), before, { takenAt, now }),
    { emptyBucket: isReplacing ? replicasBucket : undefined, expected: before.links },
  )
  if (!isRestored) {
    throw new UsageError('The store changed in the meantime, so nothing was restored. Try again.')
  }
}

function hostFromUrl(url: string): string {
  return new URL(url).hostname
}

/** Opens a source that can be read twice: first to verify the whole backup, then to restore it. */
async function openSource(
  file: string,
  { dataDirectory }: Config,
  context: CommandContext,
  signal: AbortSignal,
) {
  if (file !== '-') {
    const path = resolve(argumentDirectory(context), file)
    return { name: `The backup ${file}`, path, [Symbol.asyncDispose]: async () => {} }
  }
  const path = join(openDataDirectory(dataDirectory), `restore-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  // Unlink the file while it is open, so that even a killed process leaves nothing behind.
  await rm(path)
  try {
    await pipeline(context.stdin, (source) => handle.writeFile(source), { signal })
  } catch (error) {
    await handle.close()
    signal.throwIfAborted()
    throw error
  }
  return {
    name: 'The backup on standard input',
    path: handle,
    [Symbol.asyncDispose]: () => handle.close(),
  }
}
