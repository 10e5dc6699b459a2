import { joined } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { placesIn, type SignUpSlot } from '../records/sign-up-sheet.ts'
import { labeled, lines, paragraphs, titleFrom, type EntryRecipe } from './entry-recipe.ts'
import { wholeDay, type ReadTime } from './calendar-entry.ts'
import { parseTimePhrase } from './named-time.ts'

type Sheet = RecordOf['signup']

/** Names, notes and the contact are visible only to the profile `full`. */
export const signUpRecipe: EntryRecipe<'signup'> = {
  resource: 'signup',
  timeOf: sheetTime,
  blocksTime: 'when timed',
  textFor: (sheet, { profile }) => {
    const { when, contact, groups } = sheetTable(sheet, profile)
    return {
      summary: titleFrom(sheet.title),
      location: '',
      description: paragraphs(
        when,
        openOf(sheet),
        ...(groups ?? []).map(({ name, positions }) => lines(name, ...positions.map(positionText))),
        labeled('Contact', contact),
      ),
      categories: [],
    }
  },
}

/** Returns the time in a sheet's free text, or its whole day if the text has no time. */
export function sheetTime({ date, eventDate }: Pick<Sheet, 'date' | 'eventDate'>): ReadTime {
  const named = parseTimePhrase(oneLine(eventDate), date)
  return { time: named ? { allDay: false, ...named } : wholeDay(date) }
}

export type SheetTable = ReturnType<typeof sheetTable>

/** Returns a sheet's details for calendars and its page. Only the `full` profile includes names. */
export function sheetTable(sheet: Sheet, profile: Profile) {
  const { groups, contact, eventDate } = sheet
  const isFull = profile === 'full'
  const when = oneLine(eventDate)
  const isOnlyTime = onlyTime.test(when) && !sheetTime(sheet).time.allDay
  return {
    /** The sheet's description of its time, or an empty string if that is only the time itself. */
    when: isOnlyTime ? '' : when,
    contact: isFull ? oneLine(contact) : '',
    /** Undefined until the positions have been read. */
    groups: groups?.map(({ name, slots }) => ({
      name: oneLine(name) || 'Group',
      positions: slots.map((slot) => positionIn(slot, isFull)),
    })),
  }
}

function positionIn(slot: SignUpSlot, isFull: boolean) {
  const taken = slot.signedUp.length
  const open = placesIn([slot])?.open
  return {
    name: oneLine(slot.position) || 'Place',
    people: isFull
      ? slot.signedUp.map(({ name, note }) => joined(oneLine(name), oneLine(note)))
      : [],
    /** `taken`, `2 taken` or `2 signed up`, or an empty string if nobody has signed up. */
    taken: taken === 0 ? '' : takenText(taken, open),
    /** `open` or `2 open`. Empty if the position is full. */
    open: open === 0 ? '' : open === undefined || open + taken === 1 ? 'open' : `${open} open`,
  }
}

function takenText(taken: number, open: number | undefined): string {
  if (open === undefined) return `${taken} signed up`
  return taken + open === 1 ? 'taken' : `${taken} taken`
}

/** `Driver: taken`, `Firefighter: 2 taken, 1 open`, or `Firefighter: Pat Okafor; Taylor Nguyen; 1 open`. */
function positionText({ name, people, taken, open }: ReturnType<typeof positionIn>): string {
  const [who, between] = people.length > 0 ? [people, '; '] : [[taken], ', ']
  return labeled(name, [...who, open].filter((part) => part !== '').join(between))
}

const onlyTime =
  /^(?:[\d:.,\s–-]|[ap]\.?m\.?|noon|midnight|to|(?:mon|tues|wednes|thurs|fri|satur|sun)day)*$/i

/** Describes the open slots, or the number of sign-ups if slots are unlimited. */
export function openOf({ groups = [] }: Sheet): string {
  const slots = groups.flatMap((group) => group.slots)
  if (slots.length === 0) return ''
  const places = placesIn(slots)
  if (places) return `${places.open} of ${places.places} places open`
  const taken = slots.reduce((sum, { signedUp }) => sum + signedUp.length, 0)
  return `${taken} signed up`
}
