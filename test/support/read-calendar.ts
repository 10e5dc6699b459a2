import ICAL from 'ical.js'
import { expect } from 'vitest'
import { lintCalendar } from './calendar-lint.ts'

/** Reads a calendar with ical.js, the parser of Thunderbird and Nextcloud. */
export function readCalendar(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  const zones = calendar.getAllSubcomponents('vtimezone').map((component) => {
    const zone = new ICAL.Timezone(component)
    ICAL.TimezoneService.register(zone)
    return zone.tzid
  })
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      summary: event.summary,
      location: event.location ?? '',
      description: event.description ?? '',
      categories: component.getFirstProperty('categories')?.getValues().map(String) ?? [],
      status: String(component.getFirstPropertyValue('status')),
      isDate: event.startDate.isDate,
      /** Like `2026-03-05T19:00:00`, or `2026-03-05` for a date. */
      start: event.startDate.toString().replace('Z', ''),
      end: component.hasProperty('dtend') ? event.endDate.toString().replace('Z', '') : undefined,
      zone: event.startDate.zone?.tzid ?? '',
      /** In milliseconds since the epoch, according to the calendar's VTIMEZONE. */
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

/** Requests and checks a calendar. Returns the resources that its entries are from. */
export async function resourcesAt(url: string): Promise<readonly string[]> {
  const response = await fetch(url)
  expect([url, response.status]).toEqual([url, 200])
  const text = await response.text()
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  return [...new Set(readCalendar(text).events.map(({ uid }) => uid.split('-')[0] ?? ''))].sort()
}
