/** URLs that subscribe to a calendar in the usual calendar services. */
export type CalendarServices = {
  /** Apple's Calendar, and whatever else on the device takes subscriptions. */
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
    // Google takes an https address there for a calendar of its own.
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com${fromWeb}`,
    microsoft365: `https://outlook.office.com${fromWeb}`,
  }
}
