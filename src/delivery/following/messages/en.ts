export type FollowTexts = typeof english

/** Text of messages to followers, except for entries, changes and news. */
export const english = {
  confirm: {
    title: (site: string) => `Please confirm: email from ${site}`,
    asked: (site: string) =>
      `Someone, most likely you, asked to get email from ${site} at this address:`,
    button: 'Confirm',
    otherwise:
      'The button opens a page where you can confirm. It works for three days. If you did not ask for this, ignore this email. We will not send you anything else, and we will delete your address.',
  },
  invite: {
    title: (site: string) => `Your calendar and news from ${site}`,
    text: (site: string) =>
      `${site} has set up a page for you, with its calendar and news. From there, you can add everything to the calendar on your phone.`,
    button: 'Open your page',
    private: 'The page is only for you, so please do not forward this email.',
  },
  renewal: {
    title: (site: string) => `Do you still want email from ${site}?`,
    asked: (site: string) =>
      `You are getting email from ${site} at this address. To keep getting it, let us know within 30 days:`,
    button: 'Keep getting email',
    otherwise:
      'If not, you don’t need to do anything. The emails will stop, and we will delete your address.',
  },
  /** First notification on a device. */
  welcome: {
    title: 'Notifications are on',
    text: (site: string) =>
      `You will get notifications from ${site} on this device. You can turn them off on the same page.`,
  },
  weekly: {
    title: (highlight: string) => `This week: ${highlight}`,
    on: (title: string, weekday: string) => `${title} ${weekday}`,
    next: (title: string, day: string) => `Next: ${title}, ${day}`,
    expiring: 'Expiring certifications',
    nothing: 'Nothing is planned for the next seven days.',
  },
  tomorrow: {
    title: (titles: string) => `Tomorrow: ${titles}`,
    /** Title for a member with a single entry of their own. */
    own: (title: string, clock: string) =>
      clock === '' ? `You have ${title} tomorrow` : `You have ${title} tomorrow at ${clock}`,
  },
  emergency: {
    until: (when: string) => `Until ${when}`,
  },
  calendar: 'Whole calendar',
  add: 'Add to calendar',
  /** Link to entries that are not in a message because it would be too long. */
  rest: 'See more on the website',
  footer: {
    reason: (site: string) =>
      `You are getting this email because you signed up for email from ${site}.`,
    confirmReason: (site: string) =>
      `You are getting this email because someone entered your address on a page of ${site}.`,
    inviteReason: (site: string) =>
      `You are getting this email because your address is on the roster of ${site}.`,
    manage: 'Change what you get',
    end: 'Unsubscribe',
  },
}
