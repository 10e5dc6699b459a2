import { urlWarnings } from '../../../links/url-warning.ts'
import type { LinkApp } from '../../../links/link-use.ts'
import { pluralIn } from '../../../records/messages.ts'

export type DoctorMessages = typeof english

/** Text about a kind of app. */
type AppTexts = {
  readonly name: string
  /** How often the app refreshes. Empty for programs without a schedule. */
  readonly habit: string
  /** Steps to try if a refresh is late, in order. */
  readonly steps: readonly string[]
}

const plural = pluralIn('en')

/** Text about the apps that use a feed link, and about checking its address. */
export const english = {
  title: 'Apps that use this link',
  about: 'When they last refreshed, and whether they can reach the address.',
  areUnknown: 'The refreshes of apps cannot be shown right now. Please try again shortly.',
  noApps:
    'No app has used this link yet. After you subscribe, your app appears here within a minute. If it does not, check the address.',
  aboutTimes: (timeZone: string) =>
    `An app shows changes only after it refreshes. Times are in the time zone ${timeZone}.`,
  late: 'Late',
  ifStillUsed: 'If you still use it',
  ifMissing: 'If changes are missing',
  lastRefreshed: (time: string) => `Last refreshed ${time}.`,
  lastUsed: (time: string) => `Last used ${time}.`,
  isLate: (by: string) => `The next refresh was expected by ${by}, so it is late.`,
  hasStopped:
    'It has stopped refreshing, probably because the subscription was removed from the app.',
  isDelayed: (by: string) =>
    `The next refresh was expected by ${by}; such a delay is still normal.`,
  nextAround: (time: string) => `Next refresh expected around ${time}.`,
  nextBy: (time: string) => `Next refresh expected by ${time}.`,
  nextBetween: (from: string, to: string) => `Next refresh expected between ${from} and ${to}.`,
  everyMinutes: (count: number) =>
    plural(count, {
      one: 'It usually refreshes about every minute.',
      other: `It usually refreshes about every ${count} minutes.`,
    }),
  everyHours: (count: number) =>
    plural(count, {
      one: 'It usually refreshes about every hour.',
      other: `It usually refreshes about every ${count} hours.`,
    }),
  everyDays: (count: number) =>
    plural(count, {
      one: 'It usually refreshes about every day.',
      other: `It usually refreshes about every ${count} days.`,
    }),
  canReach: 'Can apps reach the address?',
  isReachable:
    'Google’s servers have read this link recently, so the address can be reached from the internet.',
  aboutCheck:
    'Feedhouse can request this address the way phones and calendar services do, and check https, the certificate, redirects, sign-in pages, the content and its size.',
  check: 'Check the address',
  checkAgain: 'Check again',
  isBusy: 'Many addresses are being checked right now. Please try again in a minute.',
  canRead: 'Apps can read this address.',
  cannotRead: 'Some apps cannot read this address.',
  checked: (moment: string) => `Checked ${moment}.`,
  states: { ok: 'OK', note: 'Note', fault: 'Problem' },
  /** A problem with one of several feeds. */
  titled: (title: string, problem: string) => `${title}: ${problem}`,
  passed: (count: number) => `Passed checks (${count})`,
  fromOwnMachine:
    'Feedhouse checked this from its own machine. A firewall may still block phones on other networks.',
  warnings: urlWarnings,
  apps: {
    // Apple's iPhone and Mac user guides, "Refresh calendars" and "Subscribe to calendars".
    Apple: {
      name: 'Apple Calendar',
      habit: 'It refreshes every 15 minutes to once a week, depending on its settings.',
      steps: [
        'On iPhone or iPad, open the Calendar app, tap Calendars, and pull the list down. This refreshes all calendars.',
        'On iPhone or iPad, open Settings › Apps › Calendar › Calendar Accounts › Fetch New Data (in older versions: Settings › Calendar › Accounts), and choose Automatically or Every 15 Minutes.',
        'On Mac, open Calendar and choose View › Refresh Calendars. To refresh more often, select the calendar, choose Edit › Get Info, and change Auto-refresh.',
      ],
    },
    // Google's help page 37100, "From URL". The reload button does not fetch subscribed calendars,
    // and adding a calendar again fetches it at once (calconverter.app, 2026). A feed that Google
    // cannot read is dropped silently (adangel.org).
    Google: {
      name: 'Google Calendar',
      habit: 'It refreshes every 8 to 24 hours, which cannot be changed.',
      steps: [
        'Wait a day if you can. The reload button in Google Calendar does not refresh subscribed calendars.',
        'If the change is urgent, open calendar.google.com on a computer, unsubscribe from the calendar in its settings, and add its address again with Other calendars + › From URL. Put ?again=1 at the end of the address so that Google treats it as a new one.',
        'If it is still late, check the address. Google keeps the old entries and shows no message if it cannot read the calendar.',
      ],
    },
    // Microsoft's help: "Import or subscribe to a calendar in Outlook.com" and "Send/Receive".
    Outlook: {
      name: 'Outlook',
      habit:
        'It refreshes about every 3 hours on the web and sometimes only once a day; on Windows, when it starts and then every 1 to 3 hours.',
      steps: [
        'In classic Outlook for Windows, press F9. It refreshes each calendar at most once an hour, and only while it is open.',
        'Outlook on the web and the new Outlook have no button for this. Remove the calendar, then add its address again, with ?again=1 at the end, under Add calendar › Subscribe from web.',
      ],
    },
    // CalICSCalendar.sys.mjs turns a calendar off after most errors.
    Thunderbird: {
      name: 'Thunderbird',
      habit:
        'It refreshes every 30 minutes while it is open, unless the calendar’s settings differ.',
      steps: [
        'Open Thunderbird, go to the calendar, and click Synchronize.',
        'Right-click the calendar and open its properties. Make sure that it is turned on, because Thunderbird turns calendars off after errors, and set how often it refreshes.',
      ],
    },
    Android: {
      name: 'Android (ICSx⁵ or a similar app)',
      habit: 'It refreshes once a day, unless the settings of the app differ.',
      steps: [
        'Open ICSx⁵ and pull the list down. This refreshes all its calendars.',
        'Open the menu of ICSx⁵ and choose a shorter sync interval.',
        'In the settings of Android, allow ICSx⁵ to run in the background: Apps › ICSx⁵ › Battery › Unrestricted.',
      ],
    },
    'other calendar': {
      name: 'Other calendar app',
      habit: 'It refreshes every hour to once a week, depending on the app.',
      steps: [
        'Proton Calendar refreshes every 4 to 16 hours, Home Assistant once a day, and Nextcloud as set by its administrator, up to once a week. Wait that long if you can.',
        'Fastmail stops after five failures in a row: turn the calendar on again under Settings › Calendars.',
        'Otherwise, remove the calendar from the app and add its address again.',
      ],
    },
    reader: {
      name: 'Feed reader',
      habit: 'It refreshes every 15 to 60 minutes.',
      steps: [
        'Refresh the feed in the reader. Readers on a phone or computer refresh only while they are open.',
        'In the reader’s list of feeds, check for an error, because many stop after repeated errors. Then remove the feed and add it again.',
      ],
    },
    screen: {
      name: 'Screen',
      habit: 'It refreshes every few minutes to once a day, depending on its settings.',
      steps: [
        'Make sure that the screen is on and connected to the network, then restart its player.',
        'In the settings of the player, choose how often it refreshes. In Xibo this is the update interval of the widget.',
      ],
    },
    other: { name: 'Browser or unknown program', habit: '', steps: [] },
  } as Readonly<Record<LinkApp, AppTexts>>,
}
