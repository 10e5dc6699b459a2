import { z } from 'zod'
import {
  resourceNames,
  resources,
  type Dataset,
  type ResourceName,
} from '../../src/sandbox/resources/resources.ts'

/** A dataset with these records, as a dataset's files may have them, and no others. */
export function datasetOf(records: Partial<Record<ResourceName, readonly object[]>>): Dataset {
  const entries = resourceNames.map((name) => [
    name,
    z.array(resources[name].record).parse(records[name] ?? []),
  ])
  return Object.fromEntries(entries)
}
