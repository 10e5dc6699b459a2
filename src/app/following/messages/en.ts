export type FollowTexts = typeof english

/** Text of messages to followers, except for entries, changes and news. */
export const english = {
  confirm: {
    title: (site: string) => `Please confirm: email from ${site}`,
    asked: (site: string) =>
      `Someone, most likely you, asked for email from ${site} to this address:`,
    button: 'Confirm',
    otherwise:
      'The button opens a page where you confirm, and works for three days. If you did not ask for this, ignore this email. Nothing else will be sent to you, and we delete your address.',
  },
  renewal: {
    title: (site: string) => `Do you still want email from ${site}?`,
    asked: (site: string) =>
      `You have been getting email from ${site} for a year. If you want to keep getting it, tell us so within 30 days:`,
    button: 'Keep the email coming',
    otherwise: 'Otherwise you need not do anything. The email stops, and we delete your address.',
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
  /** Link to entries that are not in a message because it would be too long. */
  rest: 'There is more on the website',
  footer: {
    reason: (site: string) => `You get this email because you asked ${site} for it.`,
    confirmReason: (site: string) =>
      `You get this email because someone entered your address on a page of ${site}.`,
    manage: 'Change what you get',
    end: 'Stop emails',
  },
}
