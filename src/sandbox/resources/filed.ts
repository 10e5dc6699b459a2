import type { Parameters } from '../parameters.ts'
import * as field from './field.ts'
import { isDuring, recordOf, type Selection } from './resource.ts'

/** Fields that meeting minutes and documents have in common. */
export const filed = {
  title: field.title,
  text: field.text,
  status: field.status,
  /** 1 = visible on the public website. */
  public: field.flag,
  categoryId: field.reference,
  category: field.text,
  ...field.history,
  files: field.files,
}

type Filed = { readonly id: number; readonly categoryId: number; readonly public: number }

export function selectFiled<R extends Filed>(
  records: readonly R[],
  parameters: Parameters,
  dateOf: (record: R) => string,
): Selection {
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
        isDuring(period, dateOf(record)),
    ),
  }
}
