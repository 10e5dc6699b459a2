import { joined } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { placesIn, type SignUpGroup, type SignUpSlot } from '../records/sign-up-sheet.ts'
import { labeled, lines, paragraphs, titleFrom, type EntryRecipe } from './entry-recipe.ts'
import { wholeDay, type ReadTime } from './entry-time.ts'
import { parseTimePhrase } from './named-time.ts'

type Sheet = RecordOf['signup']

/** Names, notes and the contact are visible only to the profile `full`. */
export const signUpRecipe: EntryRecipe<'signup'> = {
  resource: 'signup',
  timeOf: sheetTime,
  blocksTime: 'when timed',
  textFor: (sheet, { profile }) => ({
    summary: titleFrom(sheet.title),
    location: '',
    description: paragraphs(
      oneLine(sheet.eventDate),
      ...(sheet.groups ? groupTexts(sheet.groups, profile) : []),
      profile === 'full' ? labeled('Contact', oneLine(sheet.contact)) : '',
    ),
    categories: [],
  }),
}

/** Returns the time in a sheet's free text, or its whole day if the text has no time. */
export function sheetTime({ date, eventDate }: Pick<Sheet, 'date' | 'eventDate'>): ReadTime {
  const named = parseTimePhrase(oneLine(eventDate), date)
  return { time: named ? { allDay: false, ...named } : wholeDay(date) }
}

function groupTexts(groups: readonly SignUpGroup[], profile: Profile): readonly string[] {
  const total = openOf(groups.flatMap(({ slots }) => slots))
  return [
    total,
    ...groups.map(({ name, slots }) =>
      lines(
        labeled(oneLine(name) || 'Group', openOf(slots)),
        ...slots.map((slot) => `- ${slotText(slot, profile)}`),
      ),
    ),
  ]
}

function slotText(slot: SignUpSlot, profile: Profile): string {
  const open = labeled(oneLine(slot.position) || 'Place', openOf([slot]))
  if (profile !== 'full' || slot.signedUp.length === 0) return open
  const people = slot.signedUp.map(({ name, note }) => joined(oneLine(name), oneLine(note)))
  return `${open} (${people.join('; ')})`
}

/** Describes the open slots, or the number of sign-ups if slots are unlimited. */
export function openOf(slots: readonly SignUpSlot[]): string {
  if (slots.length === 0) return ''
  const places = placesIn(slots)
  if (places) return `${places.open} of ${places.places} open`
  const taken = slots.reduce((sum, { signedUp }) => sum + signedUp.length, 0)
  return `${taken} signed up`
}
