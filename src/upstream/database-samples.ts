import {
  databaseFieldsFrom,
  databaseItem,
  type DatabaseSample,
} from '../records/custom-database.ts'
import { readRecords, type RecordOf } from '../records/read-records.ts'
import type { PageReader } from './data-service.ts'
import { maxRows } from './pages.ts'

/** Enough records to recognize fields with dates. */
const sampleSize = 20

/** Reads the list of the website's custom databases in one call. Rejects with an `UpstreamError`. */
export async function listDatabases(client: PageReader): Promise<readonly RecordOf['databases'][]> {
  const rows = { MaxRows: String(maxRows) }
  const { items } = await client.readPage('databases', rows, () => 'person')
  return readRecords('databases', items).records
}

/** Reads a few records of a custom database in one call. Rejects with an `UpstreamError`. */
export async function readDatabaseSample(
  client: PageReader,
  { id, title }: Pick<RecordOf['databases'], 'id' | 'title'>,
): Promise<DatabaseSample> {
  const query = { DatabaseID: String(id), MaxRows: String(sampleSize) }
  const page = await client.readPage('databases', query, () => 'person')
  const fields = databaseFieldsFrom(page.fields)
  const items = page.items.map((item) => databaseItem(item, fields))
  const { records } = readRecords('databases/records', items)
  return { id, title, recordCount: page.totalCount, fields, records }
}
