export type FollowPageMessages = typeof english

/** Text of the pages where people ask for email, and change or stop it. */
export const english = {
  /** Title of a page in the browser. */
  titled: (title: string, site: string) => `${title} – ${site}`,
  getEmail: 'Get email',
  intro: 'What is coming up, in your inbox. No account and no app, and you can stop at any time.',
  introForLink:
    'What is coming up in your calendars, in your inbox. The emails end with this private link, and you can stop them at any time.',
  address: 'Your email address',
  afterwards:
    'First, you get an email with a link to confirm. Your address is used only for these emails.',
  feeds: 'What',
  times: 'When',
  /** Choices for when to get email. */
  kinds: {
    weekly: 'Every week',
    changes: 'When something changes',
    tomorrow: 'The day before each entry',
    emergency: 'In an emergency',
  },
  day: 'Day',
  hour: 'Time',
  /** What somebody has chosen, one line each. */
  choice: {
    weekly: (day: string, clock: string) => `A weekly email, every ${day} at ${clock}`,
    changes: 'An email when something changes, and with news',
    tomorrow: 'An email the evening before each entry',
    emergency: 'An email in an emergency',
    feeds: (titles: string) => `Only about: ${titles}`,
    ownOnly: 'Only about your own entries',
  },
  ownIsIncluded: 'Your own entries are always included.',
  faults: {
    missing: 'Enter your email address.',
    invalid: 'This email address is not complete. It should look like name@example.org.',
    'too long': 'An email address has at most 254 characters.',
    feeds: 'Choose at least one.',
    times: 'Choose when you want to get email.',
  },
  isFull: 'Too many people have signed up for email. Please try again in a few days.',
  requested: {
    title: 'Check your inbox',
    text: 'You should get an email with a link to confirm within a few minutes. If you don’t, look in your spam folder. The link works for three days.',
    again: 'Use another address',
  },
  confirm: {
    title: 'Do you want these emails?',
    text: (address: string) => `They will be sent to ${address}.`,
    button: 'Yes, send me email',
  },
  confirmed: {
    title: 'You will get email',
    text: (address: string) => `It will be sent to ${address}.`,
    manage: 'Change or stop',
  },
  manage: {
    title: 'Your emails',
    text: (address: string) => `They are sent to ${address}.`,
    save: 'Save',
    saved: 'Your choice is saved.',
    stored: 'Download what is stored about you',
  },
  end: {
    title: 'Stop emails?',
    text: (address: string) => `No more emails will be sent to ${address}.`,
    deletes: 'Your address and your choice will be deleted.',
    button: 'Stop emails',
  },
  ended: {
    title: 'The emails have been stopped',
    text: 'Your address and your choice have been deleted.',
  },
  unknown: {
    title: 'This link no longer works',
    text: 'It has expired, or the emails have been stopped.',
  },
  /** Notifications on a device. */
  device: {
    title: 'Notify me on this device',
    about: 'Notify me of',
    kinds: {
      changes: 'Changes and news',
      tomorrow: 'Tomorrow’s entries, the evening before',
      emergency: 'Emergencies',
    },
    start: 'Turn on notifications',
    stop: 'Stop notifications',
    turnedOn: 'Notifications on this device are on.',
    turnedOff: 'Notifications on this device are off.',
    failed: 'That did not work. Please try again later.',
    blocked:
      'Your browser blocks notifications from this site. Allow them in its settings, then reload this page.',
    unsupported:
      'This browser cannot show notifications. Try Chrome, Edge, Firefox or Safari, and not a private window.',
    homeScreen:
      'On iPhone and iPad, notifications work only from the Home Screen: press Share, choose “Add to Home Screen”, open the site from there, and come back to this page.',
  },
}
