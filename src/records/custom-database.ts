import { z } from 'zod'
import * as field from './fields.ts'

export const customDatabaseSchema = z.object({
  id: field.id,
  title: field.text,
  description: field.text,
  type: field.text,
})

const ownProperties = { id: field.id, archived: field.flag, ...field.history }

/** A row with the database's custom columns as text in `values`. */
export const databaseRecordSchema = z.looseObject(ownProperties).transform((record) => {
  const columns = Object.entries(record).filter(([name]) => !Object.hasOwn(ownProperties, name))
  const { id, archived, created, createdBy, modified, modifiedBy } = record
  const values = Object.fromEntries(columns.map(([name, value]) => [name, field.text.parse(value)]))
  return { id, archived, created, createdBy, modified, modifiedBy, values }
})
