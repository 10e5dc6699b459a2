import { joined } from '../records/date-words.ts'
import { oneLine } from '../text/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { placesIn, type SignUpSlot } from '../records/sign-up-sheet.ts'
import {
  describedText,
  labeledIn,
  lines,
  paragraphs,
  titleFrom,
  type EntryRecipe,
} from './entry-recipe.ts'
import { wholeDay, type ReadTime } from './calendar-entry.ts'
import { calendarMessages } from './messages.ts'
import type { CalendarMessages } from './messages/en.ts'
import { parseTimePhrase } from './named-time.ts'

type Sheet = RecordOf['signup']

/** Names, notes and the contact are visible only to the profile `full`. */
export const signUpRecipe: EntryRecipe<'signup'> = {
  resource: 'signup',
  timeOf: sheetTime,
  blocksTime: 'when timed',
  textFor: (sheet, reader) => {
    const { language } = reader
    const summary = titleFrom(sheet.title, language)
    return describedText({ summary, location: '', categories: [] }, () => {
      const { when, contact, groups } = sheetTable(sheet, reader)
      const labeled = labeledIn(language)
      return paragraphs(
        when,
        openOf(sheet, language),
        ...(groups ?? []).map(({ name, positions }) =>
          lines(name, ...positions.map((position) => positionText(position, labeled))),
        ),
        labeled(calendarMessages(language).contact, contact),
      )
    })
  },
}

/** Returns the time in a sheet's free text, or its whole day if the text has no time. */
export function sheetTime({ date, eventDate }: Pick<Sheet, 'date' | 'eventDate'>): ReadTime {
  const named = parseTimePhrase(oneLine(eventDate), date)
  return { time: named ? { allDay: false, ...named } : wholeDay(date) }
}

export type SheetTable = {
  /** The sheet's description of its time, or an empty string if that is only the time itself. */
  readonly when: string
  readonly contact: string
  /** Undefined until the positions have been read. */
  readonly groups:
    readonly { readonly name: string; readonly positions: readonly Position[] }[] | undefined
}

type Position = {
  readonly name: string
  readonly people: readonly string[]
  /** `taken`, `2 taken` or `2 signed up`. Empty if there are no sign-ups. */
  readonly taken: string
  /** `open` or `2 open`. Empty if the position is full. */
  readonly open: string
}

/** Returns a sheet's details for calendars and its page. Only the `full` profile includes names. */
export function sheetTable(
  sheet: Sheet,
  { profile, language }: { readonly profile: Profile; readonly language: string },
): SheetTable {
  const texts = calendarMessages(language).signUp
  const { groups, contact, eventDate } = sheet
  const isFull = profile === 'full'
  const when = oneLine(eventDate)
  const isOnlyTime = onlyTime.test(when) && !sheetTime(sheet).time.allDay
  return {
    when: isOnlyTime ? '' : when,
    contact: isFull ? oneLine(contact) : '',
    groups: groups?.map(({ name, slots }) => ({
      name: oneLine(name) || texts.group,
      positions: slots.map((slot) => positionIn(slot, isFull, texts)),
    })),
  }
}

type SignUpTexts = CalendarMessages['signUp']

function positionIn(slot: SignUpSlot, isFull: boolean, texts: SignUpTexts): Position {
  const taken = slot.signedUp.length
  const open = placesIn([slot])?.open
  return {
    name: oneLine(slot.position) || texts.position,
    people: isFull
      ? slot.signedUp.map(({ name, note }) => joined(oneLine(name), oneLine(note)))
      : [],
    taken: taken === 0 ? '' : takenText(taken, open, texts),
    open: open === 0 ? '' : openText(taken, open, texts),
  }
}

function takenText(taken: number, open: number | undefined, texts: SignUpTexts): string {
  if (open === undefined) return texts.signedUp(taken)
  return taken + open === 1 ? texts.taken : texts.takenOf(taken)
}

function openText(taken: number, open: number | undefined, texts: SignUpTexts): string {
  return open === undefined || open + taken === 1 ? texts.open : texts.openOf(open)
}

/** `Driver: taken`, `Firefighter: 2 taken, 1 open`, or `Firefighter: Pat Okafor; Taylor Nguyen; 1 open`. */
function positionText(
  { name, people, taken, open }: Position,
  labeled: (label: string, value: string) => string,
): string {
  const [who, between] = people.length > 0 ? [people, '; '] : [[taken], ', ']
  return labeled(name, [...who, open].filter((part) => part !== '').join(between))
}

const onlyTime =
  /^(?:[\d:.,\s–-]|[ap]\.?m|noon|midnight|to|(?:mon|tues|wednes|thurs|fri|satur|sun)day)*$/i

/** Describes the open slots, or the number of sign-ups if slots are unlimited. */
export function openOf({ groups = [] }: Sheet, language: string): string {
  const slots = groups.flatMap((group) => group.slots)
  if (slots.length === 0) return ''
  const { placesOpen, signedUp } = calendarMessages(language).signUp
  const places = placesIn(slots)
  if (places) return placesOpen(places.open, places.places)
  const taken = slots.reduce((sum, slot) => sum + slot.signedUp.length, 0)
  return signedUp(taken)
}
