import {
  databaseTime,
  databaseTitle,
  isDatabaseRecordShown,
  shownFields,
  type DatabaseView,
} from '../records/custom-database.ts'
import { longDayInWords } from '../records/date-words.ts'
import { oneLine, plainTextWithLinks } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { DatabaseResource } from '../records/resources.ts'
import type { SiteDateTime } from '../records/site-time.ts'
import { certificationName, certificationStates, statusLabel } from '../records/training-record.ts'
import { readEntryTime, wholeDay, type EntryText, type EntryTime } from './calendar-entry.ts'
import {
  labeled,
  lines,
  paragraphs,
  titleFrom,
  untitled,
  type EntryRecipe,
  type Reader,
} from './entry-recipe.ts'

/**
 * Public events, including their contact, are visible to everyone. They do not block time, since
 * subscribers do not attend all of them.
 */
export const eventsRecipe: EntryRecipe<'events'> = {
  resource: 'events',
  timeOf: readEntryTime,
  blocksTime: 'never',
  textFor: (event, { siteUrl }) => eventText(event, siteUrl, event.contact),
}

/** The contact for a members' event is visible only to members. */
export const calendarRecipe: EntryRecipe<'calendar'> = {
  resource: 'calendar',
  timeOf: readEntryTime,
  blocksTime: 'when timed',
  textFor: (event, { profile, siteUrl }) => ({
    ...eventText(event, siteUrl, profile === 'public' ? '' : event.contact),
    categories: [oneLine(event.calendar)].filter((name) => name !== ''),
  }),
  partOf: ({ calendarId, calendar }) => ({ id: calendarId, name: oneLine(calendar) }),
}

function eventText(event: RecordOf['events'], siteUrl: string, contact: string): EntryText {
  return {
    summary: titleFrom(event.title),
    location: oneLine(event.location),
    description: paragraphs(
      plainTextWithLinks(event.text, siteUrl),
      labeled('Contact', oneLine(contact)),
    ),
    categories: [],
  }
}

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

function summaryFor({ renter }: RecordOf['rental'], type: string, { profile }: Reader): string {
  switch (profile) {
    case 'public':
      return labeled(reserved, type) || reserved
    case 'members':
      return type || reserved
    case 'full':
      return labeled(type || reserved, oneLine(renter)) || type || reserved
  }
}

function descriptionOf(
  { renter, renterPhone, details }: RecordOf['rental'],
  siteUrl: string,
): string {
  const who = lines(labeled('Renter', oneLine(renter)), labeled('Phone', oneLine(renterPhone)))
  return paragraphs(who, plainTextWithLinks(details, siteUrl))
}

/** `Hall rental` */
function titleInChanges(type: string): string {
  if (type === '') return 'Rental'
  return /\brentals?$/i.test(type) ? type : `${type} rental`
}

/**
 * Certifications on the day they expire, for records that have this day. The member and the
 * certificate's number are visible only to the profile `full`.
 */
export const certificationRecipe: EntryRecipe<'training/membercerts'> = {
  resource: 'training/membercerts',
  uidPrefix: 'training',
  variant: 'certifications',
  timeOf: ({ expires = '' }) => ({ time: wholeDay(expires) }),
  blocksTime: 'never',
  isNeverCancelled: true,
  textFor: (certification, { profile, language }) => {
    const { state, issued, certNumber } = certification
    const isFull = profile === 'full'
    const member = isFull ? oneLine(certification.member) : ''
    const title = `${certificationName(certification)} expires`
    return {
      summary: member === '' ? title : `${member}: ${title}`,
      location: '',
      description: lines(
        labeled(statusLabel, certificationStates[state]),
        isFull && issued !== undefined
          ? labeled('Issued', longDayInWords(issued, undefined, language))
          : '',
        isFull ? labeled('Certificate number', oneLine(certNumber)) : '',
      ),
      categories: [],
    }
  },
  partOf: ({ certId, certName }) =>
    certId === undefined ? undefined : { id: certId, name: oneLine(certName) },
}

/** Returns the recipe for the dated records of a custom database. Others are not shown. */
export function databaseRecipe(view: DatabaseView): EntryRecipe<DatabaseResource> {
  return {
    resource: `databases/${view.databaseId}`,
    uidPrefix: `database-${view.databaseId}`,
    isShown: (record, profile) =>
      isDatabaseRecordShown(record, profile) && databaseTime(record, view) !== undefined,
    timeOf: (record) => ({ time: databaseEntryTime(record, view) }),
    blocksTime: 'never',
    textFor: (record, reader) => ({
      summary: databaseTitle(record, view) || untitled,
      location: '',
      description: lines(
        ...shownFields(record, view, reader).map(({ label, value }) => labeled(label, value)),
      ),
      categories: [],
    }),
  }
}

/** Returns the record's day, or its time if the date has a time other than midnight. */
function databaseEntryTime(record: RecordOf[DatabaseResource], view: DatabaseView): EntryTime {
  const start = databaseTime(record, view) ?? record.created ?? unknownTime
  const day = start.slice(0, 10)
  return start.endsWith('T00:00:00') ? wholeDay(day) : { allDay: false, start, end: undefined }
}

/** Time of records that are not shown. */
const unknownTime: SiteDateTime = '1970-01-01T00:00:00'
