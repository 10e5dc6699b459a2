import { z } from 'zod'
import * as field from './fields.ts'
import { propertiesOf, propertyOf } from './named-properties.ts'
import { oneLine, plainTextWithLinks } from '../text/plain-text.ts'
import type { Profile } from './profile.ts'
import { readSiteDateTime } from './read-site-time.ts'
import type { SiteDateTime } from './site-time.ts'

/** A field of a custom database. Its name is the property for its value in the website's records. */
export const databaseFieldSchema = z.object({
  ...field.texts('name', 'title', 'type'),
  primary: field.flag,
})

export type DatabaseField = Readonly<z.output<typeof databaseFieldSchema>>

const ownProperties = { id: field.id, archived: field.flag, ...field.history }

/** A record of a custom database, with its values in the order of the database's fields. */
export const databaseRecordSchema = z.object({
  ...ownProperties,
  fields: field.listOf(z.object(field.texts('name', 'title', 'value'))),
})

/** Returns the fields that the website lists for a database. Skips any that are invalid. */
export function databaseFieldsFrom(listed: unknown): readonly DatabaseField[] {
  const fields = Array.isArray(listed) ? listed : []
  return fields.flatMap((each) => {
    const { data } = databaseFieldSchema.safeParse(
      propertiesOf(each, Object.keys(databaseFieldSchema.shape)),
    )
    return data === undefined || data.name === '' ? [] : [data]
  })
}

/**
 * Converts the website's record, which has a property for each field of its database, to a form
 * whose properties are the same for all databases.
 */
export function databaseItem(
  record: unknown,
  fields: readonly { readonly name: string; readonly title: string }[],
): unknown {
  if (typeof record !== 'object' || record === null) return record
  return {
    ...propertiesOf(record, Object.keys(ownProperties)),
    fields: fields.map(({ name, title }) => ({
      name,
      title,
      value: propertyOf(record, name) ?? '',
    })),
  }
}

/** Settings for showing a database's records. Fields are identified by name. */
export type DatabaseView = {
  readonly databaseId: number
  /** Title of a record, with fields in braces, like `{serial} {kind}`. */
  readonly title: string
  /** Field with the date of a record, or undefined if the records are not dated. */
  readonly date: string | undefined
  /** Fields for everyone who may read the records, in the order in which they are shown. */
  readonly fields: readonly string[]
  readonly fullFields: readonly string[]
}

type DatabaseRecord = Readonly<z.output<typeof databaseRecordSchema>>

/** A custom database on the website, with a few of its records. */
export type DatabaseSample = {
  readonly id: number
  readonly title: string
  readonly recordCount: number
  readonly fields: readonly DatabaseField[]
  readonly records: readonly DatabaseRecord[]
}

const fieldInTitle = /\{([^{}]*)\}/g

/** Returns the names of the fields in a title like `{serial} {kind}`. */
export function fieldsInTitle(title: string): readonly string[] {
  return [...title.matchAll(fieldInTitle)].map(([, name = '']) => name.trim())
}

export function fieldsOfView(view: DatabaseView): readonly string[] {
  const { title, date, fields, fullFields } = view
  return [...new Set([...fieldsInTitle(title), date ?? [], ...fields, ...fullFields].flat())]
}

/** Returns true if a record has text that is not a date in the field for its date. */
export function hasInvalidDate(record: DatabaseRecord, view: DatabaseView): boolean {
  const { date } = view
  if (date === undefined || record.archived || valueOf(record, date) === '') return false
  return databaseTime(record, view) === undefined
}

/** Returns true if a field has dates in at least one of these records, and no other values. */
export function isDateField(records: readonly DatabaseRecord[], name: string): boolean {
  const values = records.map((record) => valueOf(record, name)).filter((value) => value !== '')
  return values.length > 0 && values.every((value) => readSiteDateTime(value) !== undefined)
}

/** Returns the title of a record, as one line of plain text that may be empty. */
export function databaseTitle(record: DatabaseRecord, { title }: DatabaseView) {
  return oneLine(title.replace(fieldInTitle, (_, name: string) => valueOf(record, name.trim())))
}

/** Returns when a record takes place, or undefined if its value is empty or not a date. */
export function databaseTime(
  record: DatabaseRecord,
  { date }: DatabaseView,
): SiteDateTime | undefined {
  return date === undefined ? undefined : readSiteDateTime(valueOf(record, date))
}

/** Returns the fields of a record that a profile may see and that have a value, in the view's order. */
export function shownFields(
  record: DatabaseRecord,
  { fields, fullFields }: DatabaseView,
  { profile, siteUrl }: { readonly profile: Profile; readonly siteUrl: string },
): readonly { readonly label: string; readonly value: string }[] {
  const names = profile === 'full' ? [...fields, ...fullFields] : fields
  return names.flatMap((name) => {
    const value = plainTextWithLinks(valueOf(record, name), siteUrl)
    return value === '' ? [] : [{ label: fieldLabel(record, name), value }]
  })
}

/** Returns true for records that a profile may see. Custom databases are never public. */
export function isDatabaseRecordShown({ archived }: DatabaseRecord, profile: Profile): boolean {
  return !archived && profile !== 'public'
}

function valueOf({ fields }: DatabaseRecord, name: string): string {
  return fields.find((field) => field.name === name)?.value ?? ''
}

/** Returns a field's title on the website, or else its name. */
export function fieldLabel({ fields }: DatabaseRecord, name: string): string {
  return oneLine(fields.find((field) => field.name === name)?.title ?? '') || name
}
