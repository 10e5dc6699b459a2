import { meetingUrl, type EventDetails } from '../../feeds/item-page.ts'
import { lastDayOf } from '../../records/date-words.ts'
import { endInstantOf, instantFromSiteTime } from '../../records/site-time.ts'

/** Calendar services cut off or reject longer URLs. */
export const maxServiceUrlLength = 2_000

/** Titles and places of this length fit even if every character takes up nine in the URL. */
const maxTextLength = 90

/** Factor by which each step shortens a long description. */
const shrinking = 0.8

/** Google and Yahoo need an end. */
const assumedLengthMs = 60 * 60 * 1000

export type SentEvent = Pick<EventDetails, 'time' | 'location'> & {
  readonly title: string
  /** Plain text. The first part to be shortened. */
  readonly description: string
  /** URL of the entry's page, or undefined for a private feed, because the URL is secret. */
  readonly url: string | undefined
}

export function eventServices(event: SentEvent, timeZone: string) {
  const { time } = event
  const title = cutAt(event.title, maxTextLength)
  const location = cutAt(event.location, maxTextLength)
  const dates = datesFor(time, timeZone)
  const google = (details: string) =>
    addressOf('https://calendar.google.com/calendar/render', {
      action: 'TEMPLATE',
      text: title,
      dates: dates.google,
      details,
      location,
    })
  const outlook = (host: string) => (body: string) =>
    addressOf(`https://${host}/calendar/deeplink/compose`, {
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: title,
      ...dates.outlook,
      body,
      location,
    })
  const yahoo = (details: string) =>
    addressOf('https://calendar.yahoo.com/', {
      v: '60',
      TITLE: title,
      ...dates.yahoo,
      DESC: details,
      in_loc: location,
    })
  // Yahoo's form does not support several whole days.
  const isYahooAble = !time.allDay || lastDayOf(time) === time.start
  return [
    { id: 'google', name: 'Google Calendar', url: fitting(google, event) },
    { id: 'outlook', name: 'Outlook.com', url: fitting(outlook('outlook.live.com'), event) },
    {
      id: 'microsoft365',
      name: 'Microsoft 365',
      url: fitting(outlook('outlook.office.com'), event),
    },
    ...(isYahooAble ? [{ id: 'yahoo', name: 'Yahoo', url: fitting(yahoo, event) }] : []),
  ]
}

/** Matches a house number with a street. A name like "Station 1" is not enough for a map. */
const addressPattern = /\d[\w/-]{0,20}\s+\p{L}/u

/** Returns a link to a map of a place, or undefined if its text does not contain an address. */
export function mapUrl({ location, place }: Pick<EventDetails, 'location' | 'place'>) {
  const isAddress = meetingUrl(location) === undefined && addressPattern.test(location)
  const query = place?.address ?? (isAddress ? location : '')
  if (query === '') return undefined
  return addressOf('https://www.google.com/maps/search/', { api: '1', query })
}

/** Shortens the description until the URL is short enough, but keeps the link to the page. */
function fitting(addressFor: (details: string) => string, { description, url }: SentEvent): string {
  let length = description.length
  for (;;) {
    const text = cutAt(description, length)
    const address = addressFor([text, url ?? ''].filter((part) => part !== '').join('\n\n'))
    if (address.length <= maxServiceUrlLength || length === 0) return address
    length = Math.floor(length * shrinking)
  }
}

function cutAt(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text
    .slice(0, length)
    .replace(/\p{Surrogate}$/u, '')
    .trimEnd()
  return cut === '' ? '' : `${cut}…`
}

/**
 * Google gets times like `20260704T180000Z/20260704T200000Z`, in UTC, or days with an exclusive end,
 * like `20260704/20260705`. Outlook gets the same times and days with separators.
 */
function datesFor(time: EventDetails['time'], timeZone: string) {
  if (time.allDay) {
    return {
      google: `${basic(time.start)}/${basic(time.end)}`,
      outlook: { startdt: time.start, enddt: time.end, allday: 'true' },
      yahoo: { ST: basic(time.start), DUR: 'allday' },
    }
  }
  const { start, end } = instantsOf(time, timeZone)
  // Yahoo ignores time zones, so it gets the site's wall-clock times.
  const wall = instantsOf(time, 'utc')
  return {
    google: `${basic(start)}/${basic(end)}`,
    outlook: { startdt: start, enddt: end },
    yahoo: { ST: basic(wall.start).replace('Z', ''), ET: basic(wall.end).replace('Z', '') },
  }
}

/** Returns the start and end as ISO times, like `2026-07-04T18:00:00Z`. */
function instantsOf(time: EventDetails['time'], timeZone: string) {
  const start = instantFromSiteTime(time.start, timeZone)
  const end = time.end === undefined ? start : endInstantOf({ ...time, end: time.end }, timeZone)
  const last = end > start ? end : start + assumedLengthMs
  return { start: isoOf(start), end: isoOf(last) }
}

const isoOf = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`

function basic(dateOrTime: string): string {
  return dateOrTime.replace(/[-:]/g, '')
}

/** Encodes spaces as `%20`, because Outlook displays `+` literally. Leaves out empty values. */
function addressOf(base: string, parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return `${base}?${pairs.join('&')}`
}
