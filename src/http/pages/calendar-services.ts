/** URLs for subscribing to a calendar in common calendar services. */
export type CalendarServices = {
  /** Opens Apple Calendar, or another app on the device that handles `webcal:`. */
  readonly device: string
  readonly google: string
  /** Opens Google's form for an address. Unlike the other link, it does not contain the address. */
  readonly googleByUrl: string
  readonly outlook: string
  readonly microsoft365: string
  /** Opens ICSx⁵ on Android, or its page in the store if it is not installed. */
  readonly icsx5: string
}

const icsx5Package = 'at.bitfire.icsdroid'
const icsx5Store = `https://play.google.com/store/apps/details?id=${icsx5Package}`

export function calendarServices(url: string, name: string): CalendarServices {
  const webcal = url.replace(/^https?:/, 'webcal:')
  // Outlook shows a plus sign in the name instead of a space.
  const fromWeb = `/calendar/0/addfromweb?url=${encodeURIComponent(url)}&name=${encodeURIComponent(name)}`
  return {
    device: webcal,
    // Google would treat an https URL as the id of one of its own calendars.
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    googleByUrl: 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl',
    outlook: `https://outlook.live.com${fromWeb}`,
    microsoft365: `https://outlook.office.com${fromWeb}`,
    icsx5: intentFor(url),
  }
}

/** Returns an address that Android opens in an app (https://developer.chrome.com/docs/android/intents). */
function intentFor(url: string): string {
  const [scheme = '', address = ''] = url.split(/:(.*)/s)
  const parts = [
    `scheme=${scheme === 'https' ? 'webcals' : 'webcal'}`,
    `package=${icsx5Package}`,
    `S.browser_fallback_url=${encodeURIComponent(icsx5Store)}`,
  ]
  return `intent:${address}#Intent;${parts.join(';')};end`
}

/** URLs for following a news feed in common feed readers. */
export type NewsReaders = {
  readonly feedly: string
  readonly inoreader: string
  /** Opens NetNewsWire, or another app on the device that handles `feed:`. */
  readonly device: string
}

export function newsReaders(url: string): NewsReaders {
  return {
    feedly: `https://feedly.com/i/subscription/feed%2F${encodeURIComponent(url)}`,
    inoreader: `https://www.inoreader.com/?add_feed=${encodeURIComponent(url)}`,
    device: `feed:${url}`,
  }
}
