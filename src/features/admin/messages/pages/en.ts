import { pluralIn } from '../../../../records/messages.ts'

export type PagesMessages = typeof english

const plural = pluralIn('en')

/** Text of the pages for screens, previews, followers, invitations and custom databases. */
export const english = {
  screens: {
    title: 'Screens',
    emergency: 'Emergency text',
    about:
      'It ends automatically at the time you choose, even on screens that are offline by then.',
    done: {
      shown: 'The text appears within a minute.',
      tested: (minutes: number) =>
        `The test appears within a minute, and ends after ${minutes} minutes.`,
      kept: 'The test has ended. This text was shown in the meantime and has not been cleared.',
      cleared: 'The text disappears within a minute.',
    },
    publicScreens: 'screens with public feeds',
    testedOn: (screen: string) => `Test on ${screen}:`,
    shownOn: (places: readonly string[]) => `Shown on: ${places.join(', ').toLowerCase()}.`,
    textUntil: (title: string, end: string) => `“${title}” until ${end}.`,
    clear: 'Clear emergency text',
    clearTest: 'Clear test',
    fields: {
      title: 'Title',
      text: 'Text',
      until: (timeZone: string) => `Until, in the website’s time zone (${timeZone})`,
    },
    preview: 'Preview of a screen',
    where: 'Where',
    places: { screens: 'Screens', devices: 'Phones and email', pages: 'Pages' },
    aboutPlaces: {
      screens: 'Replaces everything on every screen within a minute.',
      pages:
        'At the top of all pages, of upcoming emails and, within five minutes, of embedded lists.',
    },
    devices: (count: number, shown: string) =>
      plural(count, { one: `${shown} device`, other: `${shown} devices` }),
    followers: (count: number, shown: string) =>
      plural(count, { one: `${shown} follower`, other: `${shown} followers` }),
    reached: (devices: string, followers: string) =>
      `A notification to ${devices} and an email to ${followers} who asked for emergency messages. They cannot be recalled.`,
    reachedAgain: (devices: string, followers: string) =>
      `A notification to ${devices} and an email to ${followers} who asked for emergency messages, and again if you replace the text. They cannot be recalled.`,
    show: 'Show emergency text',
    replace: 'Replace emergency text',
    test: 'Test',
    onlyOn: 'Only on',
    allPublicScreens: 'Screens with public feeds',
    startTest: (minutes: number) => `Test for ${minutes} minutes`,
    new: {
      title: 'New screen',
      about:
        'A screen is any browser at the station, such as on a TV, a tablet or a player. It shows events today and in the next few days, and the news.',
      public: 'With public feeds',
      private: 'With private feeds: create a link',
      later: (path: string) =>
        `After you create the link, choose “Set up a screen”. Later, open the link’s address with ${path} at its end.`,
    },
    faults: {
      noTitle: 'Enter a title.',
      titleTooLong: (max: number) => `The title must have at most ${max} characters.`,
      textTooLong: (max: number) => `The text must have at most ${max} characters.`,
      noEnd: 'Enter the date and time when the text ends.',
      past: 'The end must be in the future.',
      tooLate: (days: number) => `The end must be within ${days} days.`,
      nowhere: 'Choose where to show the text.',
      notCleared: 'Clear the emergency text before you test.',
    },
  },
  preview: {
    title: 'Preview',
    heading: (profile: string) => `Preview: ${profile}`,
    profiles: 'Profiles',
    highlighted: 'Highlighted',
    notPublic: (profile: string) =>
      `content that links with ${profile} show and the public does not see.`,
    notWith: (profile: string, lower: string) =>
      `content that links with ${profile} show and links with ${lower} do not.`,
    tags: {
      notPublic: 'not public',
      notWith: (profile: string) => `not with ${profile}`,
    },
    unavailable:
      'Not available: no link uses this feed yet, or Feedhouse has not read the website yet.',
    nothing: 'Nothing to show right now.',
    noFeeds: 'No feeds are public.',
  },
  followers: {
    title: 'Followers',
    heading: 'Email followers',
    about:
      'Show or delete what is stored about an email address, for example if its owner asks. Deleting it also stops the emails.',
    deleted: 'All data about this address has been deleted.',
    address: 'Email address',
    find: 'Find',
    nothing: 'Nothing is stored about this address.',
    stored: 'Data stored about this address',
    delete: 'Delete all data',
    unreadable: {
      title: 'Followers with unreadable addresses',
      about: (count: number, shown: string) =>
        plural(count, {
          one: '1 person or device gets no messages, because the address was encrypted with another MAIL_KEY or mail.key. Use the one from when the person started to follow. If it is lost, delete the follower, and ask people to follow again.',
          other: `${shown} people or devices get no messages, because their addresses were encrypted with another MAIL_KEY or mail.key. Use the one from when they started to follow. If it is lost, delete them, and ask people to follow again.`,
        }),
      delete: 'Delete these followers',
      deleted: 'The followers with unreadable addresses have been deleted.',
    },
  },
  invitations: {
    title: 'Invitations',
    heading: 'Invite members by email',
    about:
      'Creates a link with all feeds for each member, and emails it to the member’s address on the roster. Members who already have a link are not invited again. If an email bounced, correct the address on the website, revoke the link, and invite the member again.',
    load: 'Load the members from the website',
    reload: 'Reload the members',
    language: 'Language of the emails',
    notInvited: (count: number) => `Not invited (${count})`,
    send: 'Send invitations',
    allLinked: 'All members have a link.',
    linked: (count: number) => `Members with a link (${count})`,
    columns: { member: 'Member', email: 'Email', opened: 'Opened' },
    states: {
      linked: 'Has a link',
      waiting: 'Email waiting',
      sent: 'Emailed',
      bounced: 'Email bounced',
    },
    lastOpened: 'Last opened',
    neverOpened: 'Never opened',
    invited: (count: number) =>
      `${plural(count, { one: '1 member', other: `${count} members` })} invited. The emails are sent one after another.`,
    skipped: (count: number) =>
      `${plural(count, { one: '1 member', other: `${count} members` })} skipped, because they have no usable email address or already have a link.`,
    /** Label of a link for a member without a name. */
    member: (id: number) => `Member ${id}`,
    faults: {
      notRead: 'The members could not be read from the website. Try again later.',
      noneChosen: 'Choose whom to invite.',
      tooManyFollowers: 'No members were invited, because there are too many followers.',
      'too many': 'The maximum number of feed links has been reached, so no members were invited.',
      'made already': 'Other links were created at the same time. Check the list, and try again.',
      stopped: (count: number, wanted: number) =>
        `Only ${count} of ${wanted} members were invited, because there are too many followers.`,
    },
  },
  databases: {
    title: 'Databases',
    heading: 'Custom databases',
    about:
      'You can turn a custom database on the website into a calendar and a feed, for people with a link that includes it. Choose a database and the fields to show, then save.',
    saved:
      'Your changes are saved and take effect within seconds. Feed links show the feed only if they include it.',
    none: 'The website has no custom databases.',
    untitled: (id: number) => `Database ${id}`,
    isFeed: (feed: string) => `is the feed ${feed}`,
    recordTitle: 'Title of each record, with fields in braces',
    fieldNames: 'Fields:',
    date: 'Date of each record',
    noDate: 'None (feed only)',
    below: 'Below the title',
    choices: {
      none: 'Not shown',
      all: 'For everyone with a link to it',
      full: 'Only with the profile “Full”',
    },
    id: 'Name of the feed in addresses (a to z and 0 to 9)',
    name: 'Title of the feed',
    showPreview: 'Show preview',
    preview: 'Preview',
    allArchived: 'All records in this database are archived.',
    untitledRecord: 'Untitled',
    save: 'Save',
    thenLink: (feed: string) => `Then create a feed link that includes the feed ${feed}.`,
    asSetting: 'As a setting',
    forSitesFile: 'For this site’s settings in the sites file:',
    forEnvironment: 'For .env, in place of any other DATABASE_FEEDS:',
    copy: 'Copy',
    theSetting: 'the setting',
    remove: 'Remove this feed',
    faults: {
      damaged:
        'The settings of this page cannot be read, so no feed is public. Save them under Settings first.',
      notWritable:
        'Titles and names cannot contain quotes, #, $, backslashes, semicolons, or a word that is directly followed by a colon and text.',
    },
  },
}
