import { calendarOptions } from '../../calendar/calendar-options.ts'
import { certificationRecipe } from '../../calendar/record-recipes.ts'
import { selectField, type FeedOption, type ValueType } from '../../options/option.ts'
import { idsOption, wholeNumber, wholeNumbers } from '../../options/value-types.ts'
import type { RecordOf } from '../../records/read-records.ts'
import { expiringCertifications } from '../../records/training-record.ts'
import { draftsFromCertification } from '../../syndication/training-items.ts'
import { defineFeed } from '../define-feed.ts'
import { feedMessages } from '../messages.ts'

type Certification = RecordOf['training/membercerts']

const maxDays = 3650

/** By default, an item about a certification appears this many days before it expires. */
const defaultWithinDays = 90

const certOption = idsOption('cert')
/** Without the profile `full`, a feed with this option is empty. */
const memberOption = idsOption('member')

const withinOption: FeedOption<number | undefined> = {
  name: 'within',
  type: wholeNumber(0, maxDays),
  defaultValue: undefined,
  selectsRecords: true,
  fields: (language) => [selectField(feedMessages(language).options.within)],
}

const alarmDays = wholeNumbers(365, 5, '7,30,90')
const noAlarm = 'none'

/** Numbers of days, or `none`. */
const alarmDaysType: ValueType<readonly number[]> = {
  ...alarmDays,
  read: (texts) => (String(texts) === noAlarm ? [] : alarmDays.read(texts)),
  format: (days) => (days.length === 0 ? noAlarm : String(days)),
  expected: (name, texts) => `${alarmDays.expected(name, texts)}, or ${noAlarm}`,
}

const alarmOption: FeedOption<readonly number[]> = {
  name: 'alarm',
  type: alarmDaysType,
  defaultValue: [7, 30, 90],
  fields: (language) => {
    const texts = feedMessages(language).options.certificationAlarm
    const choices = [
      ['', texts.thrice],
      ['30,90', texts.twice],
      ['30', texts.month],
      ['7', texts.week],
      [noAlarm, texts.none],
    ] as const
    return [{ label: texts.label, leads: true, choices }]
  },
}

/** The certifications of members, on the days on which they expire. */
export const training = defineFeed({
  id: 'training',
  resource: 'training/membercerts',
  boardRole: 'agenda',
  isNamedOnly: true,
  isLinkOnly: true,
  marker: { emoji: '🎓', color: 'darkcyan' },
  choice: {
    options: { parts: certOption, memberIds: memberOption },
    chosenFrom: (records, { parts = [], memberIds = [] }: Choice, profile) =>
      currentCertifications(records).filter(
        ({ certId = 0, memberId = 0 }) =>
          (parts.length === 0 || parts.includes(certId)) &&
          // Other profiles must not find out whose certifications these are.
          (memberIds.length === 0 || (profile === 'full' && memberIds.includes(memberId))),
      ),
  },
  calendar: {
    recipe: certificationRecipe,
    partOption: certOption,
    options: {
      search: calendarOptions.search,
      pastDays: calendarOptions.pastDays,
      withinDays: withinOption,
      alarmDays: alarmOption,
      color: calendarOptions.color,
    },
    optionsFrom: ({ withinDays, alarmDays = [] }: CalendarChoice) => ({
      futureDays: withinDays,
      alarmMinutes: alarmDays.map((days) => days * 24 * 60),
    }),
  },
  items: {
    draftsFrom: (certification, source, { withinDays = defaultWithinDays }: CalendarChoice) =>
      draftsFromCertification(certification, source, withinDays),
    // Pending certifications have not been approved yet.
    isShown: ({ status }, profile) => status === 'online' || profile === 'full',
    moreOptions: { withinDays: withinOption },
  },
})

type Choice = { readonly parts?: readonly number[]; readonly memberIds?: readonly number[] }

type CalendarChoice = {
  readonly withinDays?: number | undefined
  readonly alarmDays?: readonly number[]
}

/** Returns the certifications that have an expiration date, except renewed ones. */
function currentCertifications(records: readonly Certification[]): readonly Certification[] {
  const byMember = Map.groupBy(records, ({ memberId, member, state }) =>
    JSON.stringify([memberId ?? member, state === 'pending']),
  )
  return [...byMember.values()].flatMap(expiringCertifications).toSorted((a, b) => a.id - b.id)
}
