import { join } from 'node:path'
import { openDataset } from './dataset.ts'
import type { Dataset } from './resources/resources.ts'
import { sampleDatasetOn, sampleFiles } from './sample/sample-dataset.ts'

export type WebsiteRecords = {
  /** Returns the records for a day, `yyyy-mm-dd`. */
  readonly datasetOn: (today: string) => Dataset
  /** Returns sentences that describe the errors in the dataset. */
  readonly datasetFaults: () => readonly string[]
  /** Directory with the files that records refer to. */
  readonly files: string
}

/** Opens the organization's own records and files, or the sample. */
export function openWebsiteRecords(
  datasetDirectory: string | undefined,
  report: (sentence: string) => void,
): WebsiteRecords {
  if (datasetDirectory === undefined) {
    return { datasetOn: sampleDatasetOn, datasetFaults: () => [], files: sampleFiles }
  }
  const dataset = openDataset(datasetDirectory, { report })
  return {
    datasetOn: dataset.current,
    datasetFaults: dataset.faults,
    files: join(datasetDirectory, 'files'),
  }
}
