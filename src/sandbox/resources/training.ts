import { z } from 'zod'
import * as field from './field.ts'
import { recordOf, type Resource } from './resource.ts'

const types = ['presentations', 'quizzes', 'certifications', 'membercerts'] as const

const common = {
  id: field.id,
  created: field.optionalDateTime,
  modified: field.optionalDateTime,
}

/** 1 = Online, 0 = Offline. */
const isOnline = z.literal([0, 1])

/** Ids of the members who may see an item. The service never returns restricted items. */
const restrictedTo = z.array(field.id).default([])

const presentation = {
  ...common,
  title: field.title,
  description: field.text,
  status: isOnline,
  hours: field.amount,
  restrictedTo,
}

const trainingRecord = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('presentations'), ...presentation }),
    z.strictObject({
      type: z.literal('quizzes'),
      ...presentation,
      graded: field.flag,
      passScore: field.amount,
      maxAttempts: field.amount,
    }),
    z.strictObject({
      type: z.literal('certifications'),
      ...common,
      name: field.title,
      description: field.text,
      status: isOnline,
      expiryMonths: field.amount,
      restrictedTo,
    }),
    z.strictObject({
      type: z.literal('membercerts'),
      ...common,
      /** 0 = Pending, 1 = Active, 2 = Expiring Soon, 3 = Expired. */
      status: z.literal([0, 1, 2, 3]),
      memberId: field.reference,
      member: field.text,
      certId: field.reference,
      certName: field.text,
      issued: field.optionalDate,
      expires: field.optionalDate,
      certNumber: field.text,
    }),
  ],
  { error: unknownType },
)

export type TrainingRecord = Readonly<z.output<typeof trainingRecord>>

export const training: Resource<TrainingRecord> = {
  record: trainingRecord,
  select(records, parameters) {
    const type = parameters.choice('Type', types) ?? 'presentations'
    const id = parameters.number('ID')
    const memberId = parameters.number('MemberID')
    const ofType = records.filter((record) => record.type === type && isForEveryone(record))
    const selected =
      id === undefined
        ? ofType.filter((record) => isOfMember(record, memberId))
        : [recordOf(ofType, id)]
    return { items: selected.map(shown), extra: { type } }
  },
}

function isForEveryone(record: TrainingRecord): boolean {
  return record.type === 'membercerts' || record.restrictedTo.length === 0
}

function isOfMember(record: TrainingRecord, memberId: number | undefined): boolean {
  return memberId === undefined || record.type !== 'membercerts' || record.memberId === memberId
}

function shown(record: TrainingRecord): object {
  const { type: _type, restrictedTo: _restrictedTo, ...rest } = { restrictedTo: [], ...record }
  return rest
}

function unknownType({ code }: { readonly code?: string }): string | undefined {
  return code === 'invalid_union' ? `not one of ${types.join(', ')}` : undefined
}
