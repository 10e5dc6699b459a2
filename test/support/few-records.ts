import type { Dataset } from '../../src/sandbox/resources/resources.ts'
import { ofLatestDay, sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'

/** Returns a function that returns the last sample records of each resource for a date. */
export const lastRecordsOn = (perResource: number) =>
  ofLatestDay((today) => {
    const { databases, ...records } = sampleDatasetOn(today)
    const few = Object.entries(records).map(([name, all]) => [name, all.slice(-perResource)])
    return { databases, ...Object.fromEntries(few) } as Dataset
  })

/** Returns a few sample records for each resource, which can be read and rendered quickly. */
export const fewOn = lastRecordsOn(12)

/** Options of a sandbox for tests that do not depend on the number of records. */
export const fewRecords = { datasetOn: fewOn }
