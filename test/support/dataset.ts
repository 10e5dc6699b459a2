import { datasetFrom } from '../../src/sandbox/resources/resources.ts'
import { idsOf, startSandbox } from './sandbox.ts'

/** A sandbox that has these records, as a dataset's files may have them, and no others. */
export async function startSandboxWith(records: Parameters<typeof datasetFrom>[0]) {
  const dataset = datasetFrom(records)
  const { get } = await startSandbox({ datasetOn: () => dataset })
  return {
    get,
    ids: async (path: string) => idsOf(await get(`/apps/api/${path}`)),
    bodyOf: async (path: string) => (await get(`/apps/api/${path}`)).body,
  }
}
