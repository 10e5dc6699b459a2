const icsx5Package = 'at.bitfire.icsdroid'
const icsx5Store = `https://play.google.com/store/apps/details?id=${icsx5Package}`

export function calendarServices(url: string, name: string) {
  const webcal = url.replace(/^https?:/, 'webcal:')
  // Outlook shows a plus sign in the name instead of a space.
  const fromWeb = `/calendar/0/addfromweb?url=${encodeURIComponent(url)}&name=${encodeURIComponent(name)}`
  return {
    /** Opens Apple Calendar, or another app on the device that handles `webcal:`. */
    device: webcal,
    // Google would treat an https URL as the id of one of its own calendars.
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    /** Opens Google's form for entering a URL. Unlike the other link, it omits the URL. */
    googleByUrl: 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl',
    outlook: `https://outlook.live.com${fromWeb}`,
    microsoft365: `https://outlook.office.com${fromWeb}`,
    /** Opens ICSx⁵ on Android, or its page in the store if it is not installed. */
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

/** Returns addresses that open a page in a phone's browser, from the browser inside another app. */
export function phoneBrowsers(pageUrl: string) {
  const [scheme = '', address = ''] = pageUrl.split(/:(.*)/s)
  return {
    chrome: `intent:${address}#Intent;scheme=${scheme};package=com.android.chrome;end`,
    safari: `x-safari-${pageUrl}`,
  }
}

export function newsReaders(url: string) {
  return {
    feedly: `https://feedly.com/i/subscription/feed%2F${encodeURIComponent(url)}`,
    inoreader: `https://www.inoreader.com/?add_feed=${encodeURIComponent(url)}`,
    /** Opens NetNewsWire, or another app on the device that handles `feed:`. */
    device: `feed:${url}`,
  }
}
