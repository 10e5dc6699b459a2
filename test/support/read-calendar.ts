import ICAL from 'ical.js'
import { expect } from 'vitest'
import { lintCalendar } from './calendar-lint.ts'

/** Reads a calendar with ical.js, the parser of Thunderbird and Nextcloud. */
export function readCalendar(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const zones = calendar.getAllSubcomponents('vtimezone').map(zoneFrom)
  calendar.getTimeZoneByID = (id) => zones.find(({ tzid }) => tzid === id) as ICAL.Timezone
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
  return { zones: zones.map(({ tzid }) => tzid), events }
}

/** Clock changes until this year are listed in advance. */
const lastYear = 2100

const zonesRead = new Map<string, ICAL.Timezone>()

/**
 * Returns the zone of a VTIMEZONE. ical.js takes longer to list the clock changes of a zone than to read
 * a short calendar. When it extends a list, it also repeats the changes that are already listed, so such
 * zones are not used again.
 */
function zoneFrom(component: ICAL.Component): ICAL.Timezone {
  const definition = JSON.stringify(component.toJSON())
  const known = zonesRead.get(definition)
  if (known?.['expandedUntilYear'] === lastYear + ICAL.Timezone.EXTRA_COVERAGE) return known
  // A component of its own does not keep the calendar in memory.
  const zone = new ICAL.Timezone(new ICAL.Component(JSON.parse(definition) as unknown[]))
  zone.utcOffset(new ICAL.Time({ year: lastYear }, ICAL.Timezone.localTimezone))
  zonesRead.set(definition, zone)
  return zone
}

/** Requests and checks a calendar. Returns the resources that its entries are from. */
export async function resourcesAt(url: string): Promise<readonly string[]> {
  const response = await fetch(url)
  expect([url, response.status]).toEqual([url, 200])
  const text = await response.text()
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  return [...new Set(readCalendar(text).events.map(({ uid }) => uid.split('-')[0] ?? ''))].sort()
}
