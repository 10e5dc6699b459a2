import { z } from 'zod'
import * as field from './field.ts'
import { isDuring, recordOf, type Resource } from './resource.ts'

const document = z.strictObject({
  id: field.id,
  title: field.title,
  text: field.text,
  status: field.status,
  /** 1 = visible on the public website. */
  public: field.flag,
  categoryId: field.id,
  category: field.title,
  ...field.history,
  files: field.files,
})

export type Document = Readonly<z.output<typeof document>>

/** The date a document was posted is the one it was created on. */
export const documents: Resource<Document> = {
  record: document,
  select(records, parameters) {
    const id = parameters.number('ID')
    const categoryId = parameters.number('CategoryID')
    const onlyPublic = parameters.flag('Public')
    const period = parameters.period()
    if (id !== undefined) return { items: [recordOf(records, id)] }
    return {
      items: records.filter(
        (record) =>
          (categoryId === undefined || record.categoryId === categoryId) &&
          (!onlyPublic || record.public === 1) &&
          isDuring(period, record.created),
      ),
    }
  },
}
