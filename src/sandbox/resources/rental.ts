import { z } from 'zod'
import * as field from './field.ts'
import { overlaps, recordOf, type Resource } from './resource.ts'
import { windowFrom } from './window.ts'

const windowDays = 90

const rentalBooking = z.strictObject({
  id: field.id,
  typeId: field.reference,
  type: field.text,
  ...field.schedule,
  renter: field.text,
  renterPhone: field.text,
  details: field.text,
})

export type RentalBooking = Readonly<z.output<typeof rentalBooking>>

export const rental: Resource<RentalBooking> = {
  record: rentalBooking,
  select(bookings, parameters, { today }) {
    const id = parameters.number('ID')
    const typeId = parameters.number('TypeID')
    const isOpen = parameters.flag('All') || id !== undefined
    const { period, shown } = windowFrom(parameters, { today, days: windowDays, isOpen })
    const extra = { ...shown, rentalTypes: rentalTypesOf(bookings) }
    if (id !== undefined) return { items: [recordOf(bookings, id)], extra }
    const items = bookings.filter(
      (booking) => (typeId === undefined || booking.typeId === typeId) && overlaps(period, booking),
    )
    return { items, extra }
  },
}

/** Returns all types that have ever been booked. */
function rentalTypesOf(bookings: readonly RentalBooking[]) {
  const typed = bookings.filter(({ typeId }) => typeId !== 0)
  const types = new Map(typed.map(({ typeId, type }) => [typeId, type]))
  return [...types].map(([id, type]) => ({ id, type })).sort((a, b) => a.id - b.id)
}
