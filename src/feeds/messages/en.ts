export type FeedMessages = typeof english

export const english = {
  feeds: {
    calendar: {
      title: 'Calendar',
      summary: 'Members’ drills, meetings and duty shifts.',
      prefix: 'Members:',
    },
    events: {
      title: 'Events',
      summary: 'Public events, as announced on the website.',
      prefix: 'Event:',
      label: 'Public events',
    },
    rental: { title: 'Rentals', summary: 'When halls and rooms are booked.', prefix: 'Rental:' },
    signup: {
      title: 'Sign-ups',
      summary: 'What people can sign up for, and how many places are open.',
      prefix: 'Sign-up:',
      label: 'Open sign-ups',
    },
    news: { title: 'News', summary: 'News stories, newest first.' },
    announcements: { title: 'Announcements', summary: 'Current announcements from the website.' },
    minutes: { title: 'Minutes', summary: 'Minutes of meetings, newest first.' },
    documents: { title: 'Documents', summary: 'Documents on the website, newest first.' },
    guestbook: { title: 'Guestbook', summary: 'Entries in the guestbook, newest first.' },
    forum: { title: 'Forum', summary: 'Topics in the forum, the latest post first.' },
    training: {
      title: 'Certifications',
      summary: 'When members’ certifications expire.',
      prefix: 'Training:',
    },
    presentations: {
      title: 'Training presentations',
      summary: 'Presentations in the Training Center, newest first.',
    },
    quizzes: {
      title: 'Training quizzes',
      summary: 'Quizzes in the Training Center, newest first.',
    },
    members: { title: 'Members', summary: 'Members’ contact data.' },
    changes: {
      title: 'Changes',
      summary: 'What has changed in the calendars: times, places, cancellations and new entries.',
    },
    digest: {
      title: 'Weekly digest',
      summary: 'Once a week: upcoming entries, changes and news, for an email newsletter.',
    },
  },
  /** Heading of the entries in the digest. */
  coming: 'Coming up',
  /** Prefix for the titles of a feed without its own prefix. */
  prefixFor: (title: string) => `${title}:`,
  /** Full title of a feed, which the feed itself contains. */
  titled: (organization: string, title: string) => `${organization}: ${title}`,
  databases: {
    summary: 'Records of a database on the website, newest change first.',
    datesSummary: 'Dates in a database on the website.',
  },
  topic: {
    summary: 'Replies to this topic in the forum.',
    unavailable: 'This topic is not available.',
  },
  combined: {
    all: {
      title: 'All in one',
      calendar: {
        title: 'All calendars',
        summary: 'Every calendar in one, with each entry only once.',
        summaryWithDuplicates: 'Every calendar in one.',
      },
      news: { title: 'All news', summary: 'All news in one feed, for feed readers.' },
    },
    my: {
      title: 'My feeds',
      calendar: {
        title: 'My calendar',
        summary: 'The calendars of this feed link in one, with each entry only once.',
        summaryWithDuplicates: 'The calendars of this feed link in one.',
      },
      news: { title: 'My news', summary: 'The news of this feed link in one.' },
    },
    kept: 'Saved events',
    noSources:
      'The feeds selected for this link are no longer available. Open the link’s page to choose others.',
    ownOnly: 'The sign-ups and expiring certifications of the link’s member.',
    ownCategory: 'Personal',
  },
  board: (organization: string) => `Events and news from ${organization}.`,
  county: {
    calendar: 'All departments',
    calendarSummary:
      'The public calendars of all departments in one, from 30 days ago to 180 ahead.',
    news: 'News of all departments',
    newsSummary: 'The latest news of all departments, newest first.',
    source: (organization: string, link: (text: string) => string) =>
      `${organization}: ${link('calendars and news')}`,
  },
  contacts: {
    unnamed: (memberId: number) => `Member ${memberId}`,
    phones: {
      CELL: 'Mobile',
      HOME: 'Home',
      WORK: 'Work',
      FAX: 'Fax',
      PAGER: 'Pager',
      VOICE: 'Other',
    },
    email: 'Other',
    address: 'Home',
  },
  /** Notices for the people who subscribed to a link, and for its screens. */
  link: {
    paused: {
      title: 'This feed link is paused',
      text: (organization: string) =>
        `The webmaster of ${organization} has paused the link for this subscription, so it currently shows nothing. Keep the subscription: everything comes back automatically when the webmaster resumes the link.`,
      screen: (organization: string) =>
        `The webmaster of ${organization} has paused this screen's link. Everything comes back automatically when the webmaster resumes the link.`,
    },
    revoked: {
      title: 'This feed link was revoked',
      text: (organization: string, day: string) =>
        `The link for this subscription to ${organization} was revoked on ${day}, so the subscription no longer receives updates. Ask the webmaster for a new link, subscribe to that, and delete this subscription.`,
      screen: (organization: string, day: string) =>
        `This screen's link was revoked on ${day}. Ask the webmaster of ${organization} for a new link, and open its board on this screen.`,
    },
    expired: {
      title: 'This feed link has expired',
      text: (organization: string, day: string) =>
        `The link for this subscription to ${organization} expired on ${day}, so the subscription no longer receives updates. Ask the webmaster for a new link, subscribe to that, and delete this subscription.`,
      screen: (organization: string, day: string) =>
        `This screen's link expired on ${day}. Ask the webmaster of ${organization} for a new link, and open its board on this screen.`,
    },
  },
  /** Notice for the readers of a feed that was public. */
  madePrivate: {
    title: 'This feed is no longer public',
    text: (organization: string, day: string) =>
      `${organization} made this feed private on ${day}, so this subscription no longer receives updates. Ask the webmaster for a feed link, subscribe to that, and delete this subscription.`,
  },
  /** Fields of the form on the page `/feeds`. */
  options: {
    dedupe: {
      label: 'Entries in several feeds',
      byDefault: 'appear once',
      others: { 0: 'appear once per feed' },
    },
    prefix: {
      label: 'Titles',
      byDefault: 'unchanged',
      others: { 1: 'start with a word for the feed', emoji: 'start with an emoji for the feed' },
    },
    within: {
      label: 'Expiring',
      byDefault: 'at any time (in feed readers: within 90 days)',
      others: { 30: 'within 30 days', 90: 'within 90 days', 365: 'within a year' },
    },
    certificationAlarm: {
      label: 'Reminders',
      thrice: '90, 30 and 7 days before',
      twice: '90 and 30 days before',
      month: '30 days before',
      week: '7 days before',
      none: 'none',
    },
  },
}
