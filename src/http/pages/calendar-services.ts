/** URLs for subscribing to a calendar in common calendar services. */
export type CalendarServices = {
  /** Opens Apple Calendar, or another app on the device that handles `webcal:`. */
  readonly device: string
  readonly google: string
  readonly outlook: string
  readonly microsoft365: string
}

export function calendarServices(url: string, name: string): CalendarServices {
  const webcal = url.replace(/^https?:/, 'webcal:')
  const fromWeb = `/calendar/0/addfromweb?${new URLSearchParams({ url, name }).toString()}`
  return {
    device: webcal,
    // Google would treat an https URL as the id of one of its own calendars.
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com${fromWeb}`,
    microsoft365: `https://outlook.office.com${fromWeb}`,
  }
}
