import { z } from 'zod'
import * as field from './field.ts'
import { filed, selectFiled } from './filed.ts'
import type { Resource } from './resource.ts'

const document = z.strictObject({
  id: field.id,
  ...filed,
})

export type Document = Readonly<z.output<typeof document>>

/** Documents. Date windows apply to the creation date, which is when a document was posted. */
export const documents: Resource<Document> = {
  record: document,
  select: (records, parameters) => selectFiled(records, parameters, ({ created }) => created),
}
