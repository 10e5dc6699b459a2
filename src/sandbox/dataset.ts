import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readDatasetFile } from './dataset-file.ts'
import { isResourceName, resourceNames, type Dataset } from './resources/resources.ts'
import type { ResourceName } from './resources/resources.ts'
import { SandboxFault } from './sandbox-fault.ts'

export type DatasetDirectory = {
  /**
   * Returns the records currently in the files. If a file is invalid, returns its last good
   * records.
   */
  readonly current: () => Dataset
  /** Returns sentences that describe the current errors in the files. */
  readonly faults: () => readonly string[]
}

type Kept = {
  readonly name: ResourceName
  /** Identifies the version of the file. Undefined means that the file does not exist. */
  readonly fingerprint: string | undefined
  readonly records: readonly unknown[]
  readonly wasGood: boolean
  readonly faults: readonly string[]
}

/**
 * Opens a directory with an organization's own records: a JSON array for each resource in
 * `{resource}.json`. A resource without a file has no records. Checks the files on every access, so
 * changes take effect without a restart. Reports each new error and keeps the last good records.
 * Throws a `SandboxFault` if a file is invalid when it is first read.
 */
export function openDataset(
  directory: string,
  { report }: { readonly report: (sentence: string) => void },
): DatasetDirectory {
  const strays = strayFilesOf(directory)
  const empty = { fingerprint: undefined, records: [], wasGood: false, faults: [] }
  let files: readonly Kept[] = resourceNames.map((name) => poll({ ...empty, name }))
  const faultsAtStart = [...strays, ...files.flatMap(({ faults }) => faults)]
  if (faultsAtStart.length > 0) throw new SandboxFault(faultsAtStart)

  function poll(kept: Kept): Kept {
    const { name } = kept
    const path = join(directory, `${name}.json`)
    const fingerprint = fingerprintOf(path)
    if (fingerprint === kept.fingerprint) return kept
    if (fingerprint === undefined) {
      const fault = `${name}.json was deleted. Use an empty list [] for no records.`
      return { ...kept, fingerprint, faults: kept.wasGood ? [fault] : [] }
    }
    const reading = readDatasetFile(path, name)
    return reading.ok
      ? { name, fingerprint, records: reading.records, wasGood: true, faults: [] }
      : { ...kept, fingerprint, faults: reading.faults }
  }

  function lookAgain(): void {
    files = files.map((before) => {
      const after = poll(before)
      if (after === before) return before
      for (const fault of after.faults) report(`${fault} The previous records stay in use.`)
      if (after.faults.length === 0) {
        const isGone = after.fingerprint === undefined
        report(`${after.name}.json ${isGone ? 'was deleted' : 'has changed and was reloaded'}.`)
      }
      return after
    })
  }

  return {
    current() {
      lookAgain()
      return Object.fromEntries(files.map(({ name, records }) => [name, records])) as Dataset
    },
    faults() {
      lookAgain()
      return files.flatMap(({ faults }) => faults)
    },
  }
}

/** Returns an error for each unknown JSON file, so that misspelled names are noticed. */
function strayFilesOf(directory: string): readonly string[] {
  return namesIn(directory)
    .filter((name) => name.endsWith('.json') && !isResourceName(name.slice(0, -'.json'.length)))
    .map(
      (name) =>
        `${name} is not a dataset file; dataset files are ${resourceNames.join(', ')}, each with the extension .json.`,
    )
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    throw new SandboxFault([`The dataset directory ${directory} cannot be read.`], {
      cause: error,
    })
  }
}

function fingerprintOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join()
  } catch {
    return 'unreadable'
  }
}
