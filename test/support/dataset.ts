import { z } from 'zod'
import {
  resourceNames,
  resources,
  type Dataset,
  type ResourceName,
} from '../../src/sandbox/resources/resources.ts'
import { idsOf, startSandbox } from './sandbox.ts'

type Records = Partial<Record<ResourceName, readonly object[]>>

/** A sandbox that has these records, as a dataset's files may have them, and no others. */
export async function startSandboxWith(records: Records) {
  const dataset = datasetOf(records)
  const { get } = await startSandbox({ datasetOn: () => dataset })
  return {
    get,
    ids: async (path: string) => idsOf(await get(`/apps/api/${path}`)),
    bodyOf: async (path: string) => (await get(`/apps/api/${path}`)).body,
  }
}

function datasetOf(records: Records): Dataset {
  const entries = resourceNames.map((name) => [
    name,
    z.array(resources[name].record).parse(records[name] ?? []),
  ])
  return Object.fromEntries(entries)
}
