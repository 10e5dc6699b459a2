import type { Dataset } from '../../src/sandbox/resources/resources.ts'
import { ofLatestDay, sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'

const perResource = 12

/** Returns a few sample records for each resource, which can be read and rendered quickly. */
export const fewOn = ofLatestDay((today) => {
  const { databases, ...records } = sampleDatasetOn(today)
  const few = Object.entries(records).map(([name, all]) => [name, all.slice(-perResource)])
  return { databases, ...Object.fromEntries(few) } as Dataset
})

/** Options of a sandbox for tests that do not depend on the number of records. */
export const fewRecords = { datasetOn: fewOn }
