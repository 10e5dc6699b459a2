import { oneLine, plainTextWithLinks } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { labeled, lines, paragraphs, type EntryRecipe, type Reader } from './entry-recipe.ts'
import { readEntryTime } from './entry-time.ts'

type Booking = RecordOf['rental']

const reserved = 'Reserved'

/** The renter and all details are visible only to the profile `full`. */
export const rentalRecipe: EntryRecipe<'rental'> = {
  resource: 'rental',
  timeOf: readEntryTime,
  blocksTime: 'always',
  textFor: (booking, reader) => {
    const type = oneLine(booking.type)
    return {
      summary: summaryFor(booking, type, reader),
      location: '',
      description: reader.profile === 'full' ? descriptionOf(booking, reader.siteUrl) : '',
      categories: type === '' ? [] : [type],
    }
  },
  titleInChanges,
  partOf: ({ typeId, type }) =>
    typeId === undefined ? undefined : { id: typeId, name: oneLine(type) },
}

function summaryFor({ renter }: Booking, type: string, { profile }: Reader): string {
  switch (profile) {
    case 'public':
      return labeled(reserved, type) || reserved
    case 'members':
      return type || reserved
    case 'full':
      return labeled(type || reserved, oneLine(renter)) || type || reserved
  }
}

function descriptionOf({ renter, renterPhone, details }: Booking, siteUrl: string): string {
  const who = lines(labeled('Renter', oneLine(renter)), labeled('Phone', oneLine(renterPhone)))
  return paragraphs(who, plainTextWithLinks(details, siteUrl))
}

/** `Hall rental` */
function titleInChanges(type: string): string {
  if (type === '') return 'Rental'
  return /\brentals?$/i.test(type) ? type : `${type} rental`
}
