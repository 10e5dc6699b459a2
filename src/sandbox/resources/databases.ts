import { z } from 'zod'
import * as field from './field.ts'
import { repeatsIn } from './repeated-values.ts'
import { recordOf, type Resource } from './resource.ts'

const databaseRecord = z.looseObject({
  id: field.id,
  /** 1 = archived. */
  archived: field.flag,
  ...field.history,
})

const ownProperties: ReadonlySet<string> = new Set(Object.keys(databaseRecord.shape))

const customDatabase = z
  .strictObject({
    id: field.id,
    title: field.title,
    description: field.text,
    type: field.text,
    fields: z.array(
      z.strictObject({
        /** Column name, which is the property for the value in every record. */
        name: z
          .string()
          .min(1)
          .refine(
            (name) => !ownProperties.has(name) && name !== '__proto__',
            'reserved; choose another column name',
          ),
        title: field.text,
        type: field.text,
        primary: field.flag,
      }),
    ),
    records: field.listOf(databaseRecord),
  })
  .superRefine(({ fields, records }, context) => {
    const names = fields.map(({ name }) => name)
    const columns = new Set(names)
    for (const { index } of repeatsIn(names)) {
      const message = 'same name as another field'
      context.addIssue({ code: 'custom', path: ['fields', index, 'name'], message })
    }
    for (const [index, record] of records.entries()) {
      for (const [name, value] of Object.entries(record)) {
        const complaint = complaintAbout(name, value, columns)
        if (complaint === undefined) continue
        context.addIssue({ code: 'custom', path: ['records', index, name], message: complaint })
      }
    }
  })

export type CustomDatabase = Readonly<z.output<typeof customDatabase>>

export const databases: Resource<CustomDatabase> = {
  record: customDatabase,
  select(all, parameters) {
    const id = parameters.number('DatabaseID')
    if (id === undefined) {
      return {
        items: all.map(({ id, title, description, type }) => ({ id, title, description, type })),
      }
    }
    const { title, fields, records } = recordOf(all, id)
    const empty = Object.fromEntries(fields.map(({ name }) => [name, '']))
    return {
      items: records.map((record) => ({ ...empty, ...record })),
      extra: { database: title, databaseId: id, fields },
    }
  },
}

function complaintAbout(
  name: string,
  value: unknown,
  columns: ReadonlySet<string>,
): string | undefined {
  if (ownProperties.has(name)) return undefined
  if (!columns.has(name)) return 'not a field of the database'
  if (typeof value !== 'string' && typeof value !== 'number') return 'neither a string nor a number'
  return undefined
}
