import type { Dataset } from '../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { ofLatestDay } from '../../src/sandbox/website-records.ts'

const perResource = 12

/** A few sample records per resource, for fast reading and rendering. */
export const fewOn = ofLatestDay((today) => {
  const { databases, ...records } = sampleDatasetOn(today)
  const few = Object.entries(records).map(([name, all]) => [name, all.slice(-perResource)])
  return { databases, ...Object.fromEntries(few) } as Dataset
})
