import ICAL from 'ical.js'

export type ReadEvent = {
  readonly uid: string
  readonly summary: string
  readonly location: string
  readonly description: string
  readonly categories: readonly string[]
  readonly status: string
  readonly isDate: boolean
  /** Start as written in the calendar, like `2026-03-05T19:00:00`, or `2026-03-05` for a date. */
  readonly start: string
  readonly end: string | undefined
  readonly zone: string
  /** Instant of the start according to the calendar's VTIMEZONE, in milliseconds since the epoch. */
  readonly startInstant: number
  readonly endInstant: number
  /** How long before the start each alarm goes off. */
  readonly alarmLeadSeconds: readonly number[]
}

/** Reads a calendar with ical.js, the parser of Thunderbird and Nextcloud. */
export function readCalendar(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  const zones = calendar.getAllSubcomponents('vtimezone').map((component) => {
    const zone = new ICAL.Timezone(component)
    ICAL.TimezoneService.register(zone)
    return zone.tzid
  })
  const events = calendar.getAllSubcomponents('vevent').map((component): ReadEvent => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      summary: event.summary,
      location: event.location ?? '',
      description: event.description ?? '',
      categories: component.getFirstProperty('categories')?.getValues().map(String) ?? [],
      status: String(component.getFirstPropertyValue('status')),
      isDate: event.startDate.isDate,
      start: event.startDate.toString().replace('Z', ''),
      end: component.hasProperty('dtend') ? event.endDate.toString().replace('Z', '') : undefined,
      zone: event.startDate.zone?.tzid ?? '',
      startInstant: event.startDate.toUnixTime() * 1000,
      endInstant: event.endDate.toUnixTime() * 1000,
      alarmLeadSeconds: component.getAllSubcomponents('valarm').map((alarm) => {
        const trigger = alarm.getFirstPropertyValue('trigger')
        return trigger instanceof ICAL.Duration ? -trigger.toSeconds() : NaN
      }),
    }
  })
  return { zones, events }
}
