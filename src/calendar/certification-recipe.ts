import { longDayInWords } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import { certificationName, certificationStates, statusLabel } from '../records/training-record.ts'
import { labeled, lines, type EntryRecipe } from './entry-recipe.ts'
import { wholeDay } from './entry-time.ts'

/**
 * Certifications on the day they expire, for records that have this day. The member and the certificate's
 * number are visible only to the profile `full`.
 */
export const certificationRecipe: EntryRecipe<'training/membercerts'> = {
  resource: 'training/membercerts',
  uidPrefix: 'training',
  variant: 'certifications',
  timeOf: ({ expires = '' }) => ({ time: wholeDay(expires) }),
  blocksTime: 'never',
  isNeverCancelled: true,
  textFor: (certification, { profile }) => {
    const { state, issued, certNumber } = certification
    const member = profile === 'full' ? oneLine(certification.member) : ''
    const title = `${certificationName(certification)} expires`
    return {
      summary: member === '' ? title : `${member}: ${title}`,
      location: '',
      description: lines(
        labeled(statusLabel, certificationStates[state]),
        profile === 'full'
          ? labeled('Issued', issued === undefined ? '' : longDayInWords(issued, undefined))
          : '',
        profile === 'full' ? labeled('Certificate number', oneLine(certNumber)) : '',
      ),
      categories: [],
    }
  },
  partOf: ({ certId, certName }) =>
    certId === undefined ? undefined : { id: certId, name: oneLine(certName) },
}
