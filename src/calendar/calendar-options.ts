/** Which of a resource's parts an option chooses: calendars or rental types. */
export type PartParameter = 'calendar' | 'type'

/** What a subscriber may choose in the address of a calendar. */
export type CalendarOptions = {
  /** The ids of the calendars or rental types to show, ascending; none is all. */
  readonly parts: readonly number[]
  /** Undefined is all that is kept. */
  readonly pastDays: number | undefined
  readonly futureDays: number | undefined
  /** How long before each entry a reminder comes. */
  readonly alarmMinutes: number | undefined
  readonly cancelled: 'mark' | 'drop'
}

export type CalendarOptionsReading =
  | { readonly ok: true; readonly options: CalendarOptions }
  | {
      readonly ok: false
      /** One plain sentence. */
      readonly reason: string
    }

const maxParts = 20
const maxDays = 3650
const maxAlarmMinutes = 4 * 7 * 24 * 60

/** Reads the options of a query string; parameters that are none of them are ignored. */
export function readCalendarOptions(
  query: URLSearchParams,
  partParameter: PartParameter | undefined,
): CalendarOptionsReading {
  const faults: string[] = []

  function once(name: string): string | undefined {
    const [value, ...others] = query.getAll(name)
    if (others.length > 0) faults.push(`${name} is given more than once.`)
    return value
  }

  function wholeNumber(name: string, most: number): number | undefined {
    const text = once(name)
    if (text === undefined) return undefined
    if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text)
    faults.push(`${name} must be a whole number from 0 to ${most}.`)
    return undefined
  }

  function parts(name: PartParameter): readonly number[] {
    const texts = query.getAll(name).flatMap((list) => list.split(','))
    if (texts.length <= maxParts && texts.every((text) => /^[1-9]\d{0,14}$/.test(text))) {
      return [...new Set(texts.map(Number))].sort((a, b) => a - b)
    }
    faults.push(`${name} must be 1 to ${maxParts} numbers with commas between, like ${name}=2,5.`)
    return []
  }

  function cancelled(): CalendarOptions['cancelled'] {
    const text = once('cancelled') ?? 'drop'
    if (text === 'mark' || text === 'drop') return text
    faults.push('cancelled must be mark or drop.')
    return 'drop'
  }

  const options: CalendarOptions = {
    parts: partParameter === undefined ? [] : parts(partParameter),
    pastDays: wholeNumber('past', maxDays),
    futureDays: wholeNumber('future', maxDays),
    alarmMinutes: wholeNumber('alarm', maxAlarmMinutes),
    cancelled: cancelled(),
  }
  const [reason] = faults
  return reason === undefined ? { ok: true, options } : { ok: false, reason }
}

/** The one query string for these options; empty when nothing is chosen. */
export function calendarQuery(
  options: CalendarOptions,
  partParameter: PartParameter | undefined,
): string {
  const { parts, pastDays, futureDays, alarmMinutes, cancelled } = options
  const chosen: readonly (readonly [string, string | number | undefined])[] = [
    [partParameter ?? '', parts.length > 0 ? parts.join(',') : undefined],
    ['past', pastDays],
    ['future', futureDays],
    ['alarm', alarmMinutes],
    ['cancelled', cancelled === 'mark' ? cancelled : undefined],
  ]
  return chosen
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&')
}
