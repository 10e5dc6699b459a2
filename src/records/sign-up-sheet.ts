import { z } from 'zod'
import * as field from './fields.ts'

const slotSchema = z.object({
  id: field.id,
  number: field.optionalNumber,
  position: field.text,
  signedUp: field.listOf(z.object(field.texts('name', 'note', 'date'))),
})

const groupSchema = z.object({ id: field.id, name: field.text, slots: field.listOf(slotSchema) })

/**
 * A sheet from the list, plus its contact person and `groups`, which require a separate call per
 * sheet. `groups` is undefined until that call succeeds. `number` is the capacity of a slot.
 * `eventDate` is free text.
 */
export const signUpSheetSchema = z
  .object({
    id: field.id,
    title: field.text,
    status: field.status,
    date: field.requiredDate,
    eventDate: field.text,
    ...field.history,
    details: z
      .object({
        sheet: z.object({ contact: field.text }).catch({ contact: '' }),
        groups: field.listOf(groupSchema),
      })
      .nullish(),
  })
  .transform(({ details, ...sheet }) => ({
    ...sheet,
    contact: details?.sheet.contact ?? '',
    groups: details?.groups,
  }))

type Sheet = z.output<typeof signUpSheetSchema>

export type SignUpSlot = z.infer<typeof slotSchema>

export type Places = { readonly open: number; readonly places: number }

/** Counts the slots on a sheet. Returns undefined if their number is unknown or unlimited. */
export function placesOf({ groups = [] }: Sheet): Places | undefined {
  return placesIn(groups.flatMap(({ slots }) => slots))
}

export function placesIn(slots: readonly SignUpSlot[]): Places | undefined {
  if (slots.length === 0 || slots.some(({ number = 0 }) => number <= 0)) return undefined
  const sum = (of: (slot: SignUpSlot) => number) =>
    slots.reduce((total, slot) => total + of(slot), 0)
  return {
    places: sum(({ number = 0 }) => number),
    open: sum(({ number = 0, signedUp }) => Math.max(0, number - signedUp.length)),
  }
}
