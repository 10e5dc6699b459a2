export type FollowPageMessages = typeof english

export const english = {
  /** Title of a page in the browser. */
  titled: (title: string, site: string) => `${title} – ${site}`,
  getEmail: 'Get email',
  intro:
    'Find out by email what’s coming up. You don’t need an account or an app, and you can unsubscribe at any time.',
  introForLink:
    'Find out by email what’s coming up in your calendars. You can unsubscribe at any time. The emails also stop when this private link stops working.',
  address: 'Your email address',
  afterwards:
    'You will first get an email with a link to confirm. Your address is used only for these emails.',
  feeds: 'What to include',
  times: 'When to send it',
  /** Choices for when to get email. */
  kinds: {
    weekly: 'Every week',
    changes: 'When something changes',
    tomorrow: 'The day before each entry',
    emergency: 'In an emergency',
  },
  day: 'Day',
  hour: 'Time',
  /** A follower's choices, one line each. */
  choice: {
    weekly: (day: string, clock: string) => `An email every ${day} at ${clock}`,
    changes: 'An email when something changes or there is news',
    tomorrow: 'An email the evening before each entry',
    emergency: 'An email in an emergency',
    feeds: (titles: string) => `Only these: ${titles}`,
    ownOnly: 'Only your own entries',
  },
  ownIsIncluded: 'Your own entries are always included.',
  faults: {
    missing: 'Enter your email address.',
    invalid: 'This email address is not valid. It should look like name@example.org.',
    'too long': 'An email address can have at most 254 characters.',
    feeds: 'Choose at least one.',
    times: 'Choose when you want to get email.',
  },
  isFull: 'Too many people are signing up for email right now. Please try again later.',
  requested: {
    title: 'Check your inbox',
    text: 'You should get an email with a link to confirm within a few minutes. If you don’t, check your spam folder. The link works for three days.',
    again: 'Use a different address',
  },
  confirm: {
    title: 'Do you want these emails?',
    text: (address: string) => `They will be sent to ${address}.`,
    button: 'Yes, send me these emails',
  },
  confirmed: {
    title: 'You’re signed up',
    text: (address: string) => `We will send email to ${address}.`,
    manage: 'Change or unsubscribe',
  },
  manage: {
    title: 'Your emails',
    text: (address: string) => `They are sent to ${address}.`,
    save: 'Save',
    saved: 'Your choices have been saved.',
    stored: 'Download your data',
  },
  end: {
    title: 'Unsubscribe?',
    text: (address: string) => `No more emails will be sent to ${address}.`,
    deletes: 'Your address and your choices will be deleted.',
    button: 'Unsubscribe',
  },
  ended: {
    title: 'You have been unsubscribed',
    text: 'Your address and your choices have been deleted.',
  },
  unknown: {
    title: 'This link no longer works',
    text: 'It has expired, or you are no longer subscribed.',
  },
  /** Notifications on a device. */
  device: {
    about: 'Notify me about',
    kinds: {
      changes: 'Changes and news',
      tomorrow: 'Tomorrow’s entries, the evening before',
      emergency: 'Emergencies',
    },
    start: 'Turn on notifications',
    stop: 'Turn off notifications',
    turnedOn: 'Notifications on this device are on.',
    turnedOff: 'Notifications on this device are off.',
    failed: 'That did not work. Please try again later.',
    blocked:
      'Your browser blocks notifications from this site. Allow them in your browser’s settings, then reload this page.',
    unsupported:
      'This browser cannot show notifications. Try Chrome, Edge, Firefox or Safari, outside of a private window.',
    homeScreen:
      'On iPhone and iPad, notifications work only from the Home Screen: tap Share, choose “Add to Home Screen”, open the site from there, and come back to this page.',
  },
}
