/** A device, and the first option that the home page offers on it. */
type Device = {
  readonly name: string
  readonly userAgent: string
  readonly isPhone: boolean
  /** Part of the page that is shown. */
  readonly app: 'apple' | 'google' | 'outlook' | 'android' | 'other'
  readonly main: Button
  /** Replaces `main` on a feed link's page. */
  readonly link?: Button
}

type Button = {
  readonly label: string
  /** Returns the button's address. Undefined for a button without one. */
  readonly address?: (calendarUrl: string, pageUrl: string) => string
}

const apple = {
  app: 'apple',
  isPhone: false,
  main: {
    label: 'Add to Apple Calendar',
    address: (url: string) => url.replace('http:', 'webcal:'),
  },
} as const

const applePhone = { ...apple, isPhone: true } as const

const android = { app: 'android', isPhone: true, main: { label: 'Send to my computer' } } as const

const google = {
  app: 'google',
  isPhone: false,
  main: {
    label: 'Add to Google Calendar',
    address: (url: string) =>
      `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(url.replace('http:', 'webcal:'))}`,
  },
  link: {
    label: 'Copy and open Google Calendar',
    address: () => 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl',
  },
} as const

const outlook = {
  app: 'outlook',
  isPhone: false,
  main: {
    label: 'Add to Outlook.com',
    address: (url: string) =>
      `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(url)}&name=Cedar%20Hollow%20Volunteer%20Fire%20Department`,
  },
} as const

const inApp = { app: 'other', isPhone: true } as const

const inAppOnAndroid = {
  ...inApp,
  main: {
    label: 'Open in Chrome',
    address: (_calendar: string, page: string) =>
      `${page.replace('http:', 'intent:')}#Intent;scheme=http;package=com.android.chrome;end`,
  },
} as const

const inAppOnApple = {
  ...inApp,
  main: {
    label: 'Open in Safari',
    address: (_calendar: string, page: string) => `x-safari-${page}`,
  },
} as const

const ios =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const pixel = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** User agent and kind of each device, by name. */
const known: Readonly<Record<string, readonly [string, Omit<Device, 'name' | 'userAgent'>]>> = {
  'Safari on iPhone': [`${ios} Version/18.6 Mobile/15E148 Safari/604.1`, applePhone],
  'Chrome on iPhone': [`${ios} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, applePhone],
  'Safari on iPad and Mac': [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    apple,
  ],
  'Chrome on Android': [`${pixel} Chrome/140.0.0.0 Mobile Safari/537.36`, android],
  'Firefox on Android': [
    'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0',
    android,
  ],
  'Edge on Windows': [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`, outlook],
  'Chrome on ChromeOS': [`Mozilla/5.0 (X11; CrOS x86_64 16093.0.0) ${chrome}`, google],
  'Firefox on Linux': [
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    google,
  ],
  'Instagram on iPhone': [
    `${ios} Mobile/22G86 Instagram 396.0.0.29.84 (iPhone17,1; iOS 18_6; en_US)`,
    inAppOnApple,
  ],
  'Facebook on Android': [
    `${pixel.replace(')', '; wv)')} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/529.0.0.0;]`,
    inAppOnAndroid,
  ],
  'LINE on Android': [
    `${pixel} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 Line/15.14.0/IAB`,
    inAppOnAndroid,
  ],
}

export const devices = Object.entries(known).map(([name, [userAgent, kind]]): Device => ({
  name,
  userAgent,
  ...kind,
}))
