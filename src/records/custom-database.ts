import { z } from 'zod'
import * as field from './fields.ts'

export const customDatabaseSchema = z.object({
  id: field.id,
  title: field.text,
  description: field.text,
  type: field.text,
})

/** A field of a custom database. Its name is the property for its value in the website's records. */
export const databaseFieldSchema = z.object({
  name: field.text,
  title: field.text,
  type: field.text,
})

export type DatabaseField = Readonly<z.output<typeof databaseFieldSchema>>

const ownProperties = { id: field.id, archived: field.flag, ...field.history }

/** A record of a custom database, with its values in the order of the database's fields. */
export const databaseRecordSchema = z.object({
  ...ownProperties,
  fields: field.listOf(z.object({ name: field.text, title: field.text, value: field.text })),
})

/** Returns the fields that the website lists for a database. Skips any that are invalid. */
export function databaseFieldsFrom(listed: unknown): readonly DatabaseField[] {
  const fields = Array.isArray(listed) ? listed : []
  return fields.flatMap((each) => {
    const { data } = databaseFieldSchema.safeParse(each)
    return data === undefined || data.name === '' ? [] : [data]
  })
}

/**
 * Converts the website's record, which has a property for each field of its database, to a form
 * whose properties are the same for all databases.
 */
export function databaseItem(record: unknown, fields: readonly DatabaseField[]): unknown {
  if (typeof record !== 'object' || record === null) return record
  const valueOf = (name: string) => (Object.hasOwn(record, name) ? Reflect.get(record, name) : '')
  const own = Object.keys(ownProperties).filter((name) => Object.hasOwn(record, name))
  return {
    ...Object.fromEntries(own.map((name) => [name, valueOf(name)])),
    fields: fields.map(({ name, title }) => ({ name, title, value: valueOf(name) })),
  }
}
