import {
  databaseTime,
  databaseTitle,
  isDatabaseRecordShown,
  shownFields,
  type DatabaseView,
} from '../records/custom-database.ts'
import { longDayInWords } from '../records/date-words.ts'
import { lineWithCommas, oneLine, plainTextWithLinks } from '../text/plain-text.ts'
import { partOf } from '../records/part.ts'
import type { RecordOf } from '../records/read-records.ts'
import { recordMessages } from '../records/record-messages.ts'
import type { DatabaseResource } from '../records/resources.ts'
import type { SiteDateTime } from '../records/site-time.ts'
import { certificationName } from '../records/training-record.ts'
import {
  readBookingTime,
  readEntryTime,
  wholeDay,
  type EntryText,
  type EntryTime,
} from './calendar-entry.ts'
import {
  describedText,
  labeledIn,
  lines,
  paragraphs,
  titleFrom,
  type EntryRecipe,
  type Reader,
} from './entry-recipe.ts'
import { calendarMessages } from './messages.ts'

/**
 * Public events, including their contact, are visible to everyone. They do not block time, since
 * subscribers do not attend all of them.
 */
export const eventsRecipe: EntryRecipe<'events'> = {
  resource: 'events',
  timeOf: readEntryTime,
  blocksTime: 'never',
  textFor: (event, reader) => eventText(event, reader, event.contact),
}

/** The contact for a members' event is visible only to members. */
export const calendarRecipe: EntryRecipe<'calendar'> = {
  resource: 'calendar',
  timeOf: readEntryTime,
  blocksTime: 'when timed',
  textFor: (event, reader) =>
    eventText(
      event,
      reader,
      reader.profile === 'public' ? '' : event.contact,
      [oneLine(event.calendar)].filter((name) => name !== ''),
    ),
  partOf: (event) => partOf('calendar', event),
}

function eventText(
  event: RecordOf['events'],
  { siteUrl, language }: Reader,
  contact: string,
  categories: readonly string[] = [],
): EntryText {
  const summary = titleFrom(event.title, language)
  return describedText({ summary, location: lineWithCommas(event.location), categories }, () =>
    paragraphs(
      plainTextWithLinks(event.text, siteUrl),
      labeledIn(language)(calendarMessages(language).contact, oneLine(contact)),
    ),
  )
}

/** The renter and all details are visible only to the profile `full`. */
export const rentalRecipe: EntryRecipe<'rental'> = {
  resource: 'rental',
  timeOf: readBookingTime,
  blocksTime: 'always',
  textFor: (booking, reader) => {
    const type = oneLine(booking.type)
    const summary = summaryFor(booking, type, reader)
    const categories = type === '' ? [] : [type]
    return describedText({ summary, location: '', categories }, () =>
      reader.profile === 'full' ? descriptionOf(booking, reader) : '',
    )
  },
  titleInChanges(type, language) {
    const { rental, of } = calendarMessages(language).rental
    return type === '' ? rental : of(type)
  },
  partOf: (booking) => partOf('rental', booking),
}

function summaryFor(
  { renter }: RecordOf['rental'],
  type: string,
  { profile, language }: Reader,
): string {
  const { reserved } = calendarMessages(language).rental
  const labeled = labeledIn(language)
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
  { siteUrl, language }: Reader,
): string {
  const texts = calendarMessages(language).rental
  const labeled = labeledIn(language)
  const who = lines(
    labeled(texts.renter, oneLine(renter)),
    labeled(texts.phone, oneLine(renterPhone)),
  )
  return paragraphs(who, plainTextWithLinks(details, siteUrl))
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
  isNeverCanceled: true,
  textFor: (certification, { profile, language }) => {
    const { state, issued, certNumber } = certification
    const isFull = profile === 'full'
    const member = isFull ? oneLine(certification.member) : ''
    const texts = calendarMessages(language).certification
    const { status, states } = recordMessages(language).certification
    const labeled = labeledIn(language)
    const title = texts.expires(certificationName(certification, language))
    return {
      summary: member === '' ? title : labeled(member, title),
      location: '',
      description: lines(
        labeled(status, states[state]),
        isFull && issued !== undefined
          ? labeled(texts.issued, longDayInWords(issued, undefined, language))
          : '',
        isFull ? labeled(texts.number, oneLine(certNumber)) : '',
      ),
      categories: [],
    }
  },
  partOf: (certification) => partOf('training/membercerts', certification),
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
    textFor(record, reader) {
      const { untitled, labeled } = calendarMessages(reader.language)
      const summary = databaseTitle(record, view) || untitled
      return describedText({ summary, location: '', categories: [] }, () => {
        const fields = shownFields(record, view, reader)
        return lines(...fields.map(({ label, value }) => labeled(label, value)))
      })
    },
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
