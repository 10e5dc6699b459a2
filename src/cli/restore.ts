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

Puts a backup in place, in the SQLite file or the Redis server that the settings name, all of it or
nothing. Stop every Feedhouse on that store first.

FILE is - for standard input.

  --replace    also where the store holds something. What must not go back stays: links that are
               revoked or were made since, counted calls, how often each record has changed
  --json       prints one JSON line
  --site NAME  which site, where SITES_FILE has several
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, replace: { type: 'boolean' }, json: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) {
    throw new UsageError('The command is: restore FILE [--replace]; see --help.')
  }
  const config = commandConfig(values, context)
  const { site } = config
  if (!site) throw new UsageError('SITE_URL is not set; the demo begins anew with each start.')
  const stopping = new AbortController()
  const { signal } = stopping
  void context
    .stopSignal()
    .then(() =>
      stopping.abort(new UsageError('The restore was stopped; the store is as it was before.')),
    )
  await using source = await sourceOf(file, config, context, signal)
  const { name, path } = source
  const { documents, happenings, site: siteUrl, takenAt } = await checkBackup(path, name, signal)
  const backupIdHost = (await idHostIn(backupItems(path, name, signal))) ?? hostOf(siteUrl)
  if (siteUrl !== site.url && config.idHost !== backupIdHost) {
    throw new UsageError(
      `${name} is of ${siteUrl}, but SITE_URL is ${site.url}. If that website has moved here, set ID_HOST=${backupIdHost}.`,
    )
  }
  await using store = await openConfiguredStore(config, context.stderr)
  await putInPlace(store, {
    ...{ name, path, takenAt, signal, isReplacing: values.replace ?? false },
    ...{ backupIdHost, idHost: config.idHost },
  })
  const at = new Date(takenAt).toISOString()
  const line = { site: siteUrl, takenAt: at, documents, happenings }
  context.stdout.write(
    values.json
      ? `${JSON.stringify(line)}\n`
      : `The backup of ${siteUrl} of ${at} is restored: ${documents} documents and ${happenings} counted calls.\n`,
  )
}

export const restoreCommand: Command = { help, run }

async function putInPlace(
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
      'Feedhouse is running on this store; stop it first. One that was killed counts as running for a minute.',
    )
  }
  const before = await readCurrentStore(store.snapshot())
  if (before.documents > 0 && !isReplacing) {
    throw new UsageError(
      `The store is not empty (${before.documents} documents); --replace puts the backup in their place.`,
    )
  }
  const { backupIdHost, idHost = before.idHost } = options
  if (idHost !== undefined && idHost !== backupIdHost) {
    throw new UsageError(
      `${name} has ids with the host ${backupIdHost}, but ${options.idHost === undefined ? `those in the store ${idHost}` : `ID_HOST is ${idHost}`}, and ids never change. Set ID_HOST=${backupIdHost} if subscribers have entries from the time of the backup.`,
    )
  }
  const now = systemClock.now()
  const isRestored = await store.replace(
    mergeBackup(backupItems(path, name, signal), before, { takenAt, now }),
    { emptyBucket: isReplacing ? replicasBucket : undefined, expected: before.links },
  )
  if (!isRestored) {
    throw new UsageError('The store was changed meanwhile, so nothing is restored; try again.')
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname
}

/** A file that can be read twice: it is checked whole before anything of it is written. */
async function sourceOf(
  file: string,
  { dataDirectory }: Pick<Config, 'dataDirectory'>,
  { stdin, ...caller }: Pick<CommandContext, 'environment' | 'directory' | 'stdin'>,
  signal: AbortSignal,
) {
  if (file !== '-') {
    const path = resolve(argumentDirectory(caller), file)
    return { name: `The backup ${file}`, path, [Symbol.asyncDispose]: async () => {} }
  }
  const path = join(openDataDirectory(dataDirectory), `restore-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  // It has no name from here on, so that it is gone however this ends.
  await rm(path)
  try {
    await pipeline(stdin, (source) => handle.writeFile(source), { signal })
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
