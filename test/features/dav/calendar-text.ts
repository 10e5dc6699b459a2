const lines = (...parts: readonly string[]) => `${parts.join('\r\n')}\r\n`

const header = ['VERSION:2.0', 'PRODID:-//Feedhouse//Feedhouse//EN', 'CALSCALE:GREGORIAN']

const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:America/New_York',
  'BEGIN:STANDARD',
  'DTSTART:19701101T020000',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'END:STANDARD',
  'END:VTIMEZONE',
]

const timed = [
  'BEGIN:VEVENT',
  'UID:events-1@www.example.org',
  'DTSTART;TZID=America/New_York:20260507T193000',
  'DTEND;TZID=America/New_York:20260507T213000',
  'SUMMARY:Drill',
  'DESCRIPTION:A long text that is ',
  ' folded',
  'END:VEVENT',
]

const allDay = [
  'BEGIN:VEVENT',
  'UID:events-2@www.example.org',
  'DTSTART;VALUE=DATE:20260508',
  'DTEND;VALUE=DATE:20260509',
  'SUMMARY:Parade\\, with music',
  'END:VEVENT',
]

/** Returns a calendar with a timed and an all-day entry, and the file for each. */
export function calendarItemsIn() {
  const [begin, end] = ['BEGIN:VCALENDAR', 'END:VCALENDAR']
  return {
    calendar: lines(begin, ...header, 'NAME:Events', ...zone, ...timed, ...allDay, end),
    timed: lines(begin, ...header, ...zone, ...timed, end),
    allDay: lines(begin, ...header, ...allDay, end),
  }
}
