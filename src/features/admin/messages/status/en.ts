import { pluralIn } from '../../../../records/messages.ts'

export type StatusMessages = typeof english

const plural = pluralIn('en')

/** Numbers are formatted, except where they choose a plural form. */
export const english = {
  title: 'Status',
  states: {
    starting: 'Status: starting',
    good: 'Status: all good',
    bad: 'Status: needs attention',
  },
  /** Sentences about a site without problems. English pages show the sentence at `/status`. */
  sentences: {
    starting: (sentence: string) => sentence,
    ok: (sentence: string) => sentence,
  },
  checkAddress: 'Check whether apps can reach the feeds',
  records: {
    title: 'Records from the website',
    /** Titles of records without a separate feed. */
    titles: {
      members: 'Members',
      'members/contacts': 'Members’ contact data',
      training: 'Certifications',
    },
    states: {
      held: 'Held',
      heldOnRequest: 'Held on request',
      refused: 'Not allowed by the API Project',
      switchedOff: 'Not allowed by the API Project: turned off',
      failing: 'Cannot be read',
      waiting: 'Waiting',
      good: 'Up to date',
    },
    none: 'No records',
    count: (count: number, shown: string) =>
      plural(count, { one: '1 record', other: `${shown} records` }),
    read: 'Read:',
    changed: 'Changed:',
    never: 'never',
    isHeld: (count: number) =>
      `The website now has only ${count} of these records, so the last good copy stays published.`,
    accept: 'Accept',
    acceptWhat: (name: string) => `the website’s ${name}`,
    aboutAccepting: (published: number, count: number) =>
      `This replaces the ${published} published records with ${count}. Do this only if the missing records have really been deleted from the website.`,
    acceptRecords: 'Accept the website’s records',
    hold: 'Keep holding',
    aboutHolding: (published: number) =>
      `This keeps the ${published} records published until they are back on the website or you accept the loss. Do this if the records should not be missing from the website.`,
    notDecided: {
      'not held': (resource: string) =>
        `The ${resource} records are no longer held, so nothing was changed.`,
      'changed meanwhile': (resource: string) =>
        `The website's ${resource} records have changed since you opened this page, so nothing was accepted. Check the new numbers, then decide.`,
      contended: (resource: string) =>
        `Feedhouse was storing the ${resource} records at the same time, so nothing was changed. Please try again.`,
    },
  },
  charts: {
    none: 'none',
    atMost: (most: string) => `at most ${most}`,
    /** Description of a chart for screen readers. */
    described: (most: string, unit: string) =>
      `At most ${most} ${unit}. The table has all numbers.`,
    units: {
      changes: 'changes',
      calls: 'API calls',
      readers: 'readers',
      apps: 'apps',
      minutes: 'minutes',
    },
    asTable: 'As a table',
    day: 'Day',
    hour: 'Hour',
    number: 'Number',
    apps: 'Apps',
    line: (limit: string) => `Line: ${limit}.`,
    changes: 'Changes to calendar entries on each of the last 30 days',
    calls: 'Calls in each of the last 24 hours',
    callLimit: (calls: number) => `${calls} an hour, the rate that would use up the daily limit`,
    publicReaders: 'Readers of public feeds on each of the last 30 days',
    readers: 'Apps that read a feed link on each of the last 30 days',
    ages: {
      caption: 'Age of the records in each of the last 24 hours',
      described: (title: string, minutes: string) =>
        `${title}: at most ${minutes} old. The table has all numbers.`,
      minutes: (count: number, shown: string) =>
        plural(count, { one: `${shown} minute`, other: `${shown} minutes` }),
      line: 'how often Feedhouse reads the records',
      tableOf: 'age of the records',
      column: 'Minutes',
    },
  },
  calls: {
    title: 'API calls to the website',
    minute: (used: string, max: string) => `${used} of ${max} in the last minute`,
    day: (used: string, max: string) => `${used} of ${max} in the last 24 hours`,
    meters: { minute: 'Calls in the last minute', day: 'Calls in the last 24 hours' },
    token: (time: string) => `The access token is valid until ${time} and renewed automatically.`,
    noToken: 'The access token is not available yet.',
    notRenewed: 'The last attempt to renew it failed.',
    refreshToken: 'The refresh token is valid for a year.',
    firstUsed: (day: string) => `Feedhouse first used it on ${day}.`,
    created: (day: string) => `It was created on ${day}.`,
    enterDate: 'Enter its date',
    date: 'Day on which the refresh token was created or last regenerated',
    saveDate: 'Save date',
    dateFault:
      'Enter the day on which the refresh token was created or last regenerated, at most a year ago.',
  },
  publicReaders: {
    title: 'Readers of public feeds',
    about:
      'Someone who reads two feeds counts twice. People who share an app and IP address count once. Feedly, Inoreader and similar services report how many people read a feed there, and Feedhouse cannot verify these numbers. Feedhouse stores only these numbers. At midnight UTC, it forgets who has read a feed.',
    reported: (service: string) => `${service} (as it reports)`,
    /** Kinds of apps that have no brand name. */
    families: {
      'Android calendar': 'Android calendar',
      'feed reader': 'feed reader',
      'other calendar': 'other calendar',
      screen: 'screen',
      browser: 'browser',
      other: 'other',
    },
  },
  readers: {
    title: 'Readers of feed links',
    about: 'An app that reads two links counts twice. Days are in UTC.',
  },
  followers: {
    title: 'Followers',
    mail: (count: string) => `By email: ${count}`,
    push: (count: string) => `By notifications on a device: ${count}`,
    rejected: (count: string) => `Rejected by their mail server: ${count}`,
    waiting: (count: string) => `Messages waiting to be sent: ${count}`,
    find: 'Find or delete an address',
  },
  messages: {
    title: 'Alerts and webhooks',
    none: 'Feedhouse sends no alerts. To get them, set ALERT_MAIL or ALERT_WEBHOOK.',
    tested: 'The test message was sent. The results are below.',
    purposes: { alerts: 'alerts', changes: 'changes' },
    states: { failing: 'Failing', working: 'Working', unused: 'Not used yet' },
    lastSuccess: 'Last success:',
    failed: (time: string) => `Failed on ${time}:`,
    test: 'Send test message',
  },
  address: {
    title: 'Address',
    heading: 'Can apps reach the feeds?',
    about: (url: string) =>
      `Checks the public feeds at ${url} the way phones and calendar services use them.`,
    noFeeds:
      'No public feed is available. Open the page of a feed link and check the address there.',
  },
}
