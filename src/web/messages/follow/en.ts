import { pluralIn } from '../../../records/messages.ts'

export type FollowMessages = typeof english

const plural = pluralIn('en')

/** Text of the pages where people subscribe. */
export const english = {
  /** Text that several of these pages share. */
  common: {
    allFeeds: 'All feeds and addresses',
    ourWebsite: 'Our website',
    calendarsAndNews: 'Calendars and news',
    /** Follows the visible text of a link or button, for screen readers. */
    ofFeed: (title: string) => `of ${title}`,
    titled: (title: string, text: string) => `${title}: ${text}`,
    copy: 'Copy',
    copied: 'Copied',
    save: 'Save',
    nothingPublic: (site: string) =>
      `No calendars or news are public. If you belong to ${site}, ask its webmaster for a private link.`,
    nothingNow: 'There is nothing to subscribe to right now. Please check back later.',
    isLocal:
      'Only this computer can reach these addresses. For Google, Outlook and phones, Feedhouse needs a public address (the setting PUBLIC_URL).',
    otherOrigin:
      'This form was submitted from a page at another address. Open the form at this address, and try again.',
    noneChosen: 'Choose at least one calendar.',
    noneChosenNews: 'Choose at least one kind of news.',
    withdrawn: 'The selected calendars are no longer available. Please choose others.',
    withoutEntries: (id: number) => `Number ${id}, currently without entries`,
  },
  home: {
    titleWithCalendar: (site: string) => `${site}: calendar`,
    titleWithNews: (site: string) => `${site}: news`,
    description: (site: string) =>
      `Follow the calendar and news of ${site} on your phone or computer.`,
    privateLink: 'Private link',
    freeDays: 'Free days to rent',
    forScreens: 'For screens',
    forWebsite: 'For your website',
    isMissing: 'Is something missing from your app?',
    heading: 'Follow us in your calendar',
    headingForMember: 'Add this to your calendar',
    introForMember: 'Your own shifts, plus the calendars you select. It updates automatically.',
    introWithoutChoice: 'It updates automatically.',
    introWithSaving: 'Pick what you want. You can change it here any time.',
    intro: 'Pick what you want. It updates automatically.',
    saved: 'Saved. Your apps will show your selection the next time they refresh.',
    whatToFollow: 'What to follow',
    moreCalendars: (count: number, chosen: number) =>
      plural(count, {
        one: `${count} more calendar (${chosen} chosen)`,
        other: `${count} more calendars (${chosen} chosen)`,
      }),
    updateButtons: 'Update the buttons',
    onYourPhone: 'On your phone',
    qrCode: 'QR code that opens this page on a phone',
    pointCamera: 'Point your phone’s camera here.',
    hello: (name: string) => `Hello, ${name}`,
    yourCalendar: 'Your calendar',
    yourNextShifts: 'Your next shifts',
    noShifts: 'You have not signed up for anything in the next three months.',
    allYourEntries: 'All your entries',
    onDutyTonight: 'On duty tonight',
    canYouHelp: 'Can you help?',
    weeklyEmail: 'Get a weekly email',
    next: 'Next',
    nextEvent: 'Next event',
    comingUp: 'Coming up',
    calendarIsLoading: 'The calendar is being loaded. Reload this page in a minute.',
    nothingPlanned: 'Nothing planned yet. Follow now, and new events will show up automatically.',
    wholeCalendar: 'Whole calendar',
    printMonth: (month: string) => `Print ${month}`,
    announcements: 'Announcements',
    news: 'News',
    followNews: 'Follow our news',
    newsIsLoading: 'The latest stories are being loaded. Reload this page in a minute.',
    noNews: 'No news yet. Follow now, and new stories will show up automatically.',
    allNews: 'All news',
    newsInReader: 'Read our news in a feed reader',
    rssAddress: 'RSS address',
    theRssAddress: 'the RSS address',
    isPrivate: 'This page is private',
    isPrivateUntil: (day: string) => `This page is private, until ${day}`,
    anyoneCanRead:
      'Anyone who has this page’s address can read these feeds. Please do not share it.',
    appleUnencrypted:
      'Apple Calendar may send the address unencrypted, once, when it subscribes. On a network that you don’t trust, copy the address and add it by hand instead.',
    isPersonal:
      'This link is for one person. The calendar always includes that person’s own sign-ups and the days on which their certifications expire.',
    memberContacts: 'Members’ phone numbers and addresses',
  },
  /** Announced or shown by the page's script. */
  script: {
    saved: 'Saved. Your apps will show it the next time they refresh.',
    notSaved: 'Your selection could not be saved. Press Save to try again.',
    buttonsUpdated: 'The buttons now add your selection.',
    copiedToSend: 'Copied. Send it to yourself.',
    addressesUpdated: 'The addresses have been updated',
  },
  /** Names of buttons and menus match the apps in this language. */
  apps: {
    apps: 'Apps',
    otherApp: 'Other app',
    otherAppOrNone: 'Other app, or no app',
    openInChrome: 'Open in Chrome',
    openInSafari: 'Open in Safari',
    sendToComputer: 'Send to my computer',
    copyAddress: 'Copy the address',
    copyBelow: 'Copy the address below.',
    pasteAndConfirm: 'Paste the address, and confirm.',
    copyAndOpenGoogle: 'Copy and open Google Calendar',
    stepByStep: 'Step by step',
    nothingHappened: 'Nothing happened? Copy this address',
    addressOf: (app: string) => `Calendar address (${app})`,
    theAddressOf: (app: string) => `the address (${app})`,
    apple: {
      name: 'iPhone, iPad, Mac',
      add: 'Add to Apple Calendar',
      after: 'Tap Subscribe when your device asks. Changes usually arrive within hours.',
      steps: [
        'Open this page in Safari and press the button again, or copy the address below.',
        'iPhone, iPad: open Settings › Apps › Calendar › Calendar Accounts › Add Account › Other › Add Subscribed Calendar. Mac: open Calendar and choose File › New Calendar Subscription.',
      ],
    },
    google: {
      add: 'Add to Google Calendar',
      onPhone:
        'Google’s phone app cannot add calendars. Add it on a computer once, and it appears on your phone.',
      after: 'Press “Add” when Google asks. Google shows changes within a day.',
      afterCopying:
        'Paste the address there and press “Add calendar”. Google shows changes within a day.',
      steps: [
        'On a computer, open calendar.google.com, and next to “Other calendars” choose + › From URL.',
        'Paste the address, and press “Add calendar”. It also appears on your phone.',
      ],
    },
    outlook: {
      add: 'Add to Outlook.com',
      addToMicrosoft365: 'Work or school (Microsoft 365)',
      after:
        'If Outlook asks you to sign in, do so, then press the button again. Outlook shows changes within a day.',
      steps: [
        'In Outlook, open the calendar and choose Add calendar › Subscribe from web. In classic Outlook: File › Account Settings › Internet Calendars › New.',
        'Paste the address, and press “Import” or “Add”.',
      ],
    },
    android: {
      openIcsx5: 'No computer? Open in ICSx⁵',
      after:
        'Android phones cannot add calendars by themselves. Add it once on a computer, and it appears on your phone within a day. No computer? Use ICSx⁵, a free app.',
      send: 'Send this page to yourself, or copy the address below.',
      add: 'On a computer, open the page and press “Add to Google Calendar”.',
      addByCopying:
        'On a computer, open the page and press “Copy and open Google Calendar”, then paste the address.',
      turnOn: 'On your phone, open the menu of Google Calendar and turn the calendar on.',
    },
    other: {
      name: 'Other apps',
      short: 'Other',
      inApp:
        'This app’s browser cannot add calendars. Open this page in your own browser: press the button above, or look in the menu ⋯ or ⋮.',
      after:
        'For Thunderbird, Proton, Fastmail, Nextcloud and others. How soon changes appear depends on the app, from an hour to a week.',
      look: 'In your app, look for “Subscribe”, “From URL” or “New calendar on the network”.',
    },
  },
  feeds: {
    title: (site: string) => `${site}: all feeds and addresses`,
    description: 'Follow our events and news: in your calendar, by feed reader, or on this page.',
    intro: (home: (text: string) => string) =>
      `Every calendar and news feed, with its formats and options. The ${home('home page')} is the quick way to follow.`,
    isPrivate:
      'This page is private: anyone who has its address can read these feeds. Please do not share it. For Google, paste the copied address. Apple may send the address of a one-tap subscription unencrypted once: on a network that you don’t trust, copy the address instead.',
    everythingForReaders: 'Everything in one, for feed readers.',
    upcoming: 'Upcoming',
    latest: 'Latest',
    includes: (chosen: string) => `These buttons and addresses include: ${chosen}.`,
    reset: 'Reset',
    appleOrDevice: 'Apple or this device',
    googleCalendar: 'Google Calendar',
    calendarAddress: 'Calendar address',
    forReaders: (format: string) => `${format}, for feed readers`,
    formatOf: (format: string, title: string) => `${format} of ${title}`,
    download: 'Download a copy',
    willNotUpdate: '(won’t update)',
    qrCode: 'QR code',
    qrCodeOf: (title: string) => `QR code that opens ${title} on a phone`,
    pointCamera: 'Point a phone’s camera at it to subscribe on the phone.',
    options: 'Options',
    onlyThese: 'Only these',
    updateAddresses: 'Update addresses',
    parts: 'Parts',
    lastChanged: (moment: string) => `Last changed ${moment}`,
    chosenOption: (option: string, value: string) => `${option.toLowerCase()} ${value}`,
    tooLong: (characters: number) =>
      `The address would have more than ${characters} characters, which some calendars reject. Choose fewer options.`,
    unknownChoice: (value: string) => `Unknown choice: ${value}.`,
    members: 'Members',
    membersAbout: 'Phone numbers, email and postal addresses of all members, for address books.',
    membersOneByOne: 'All members, one by one for phones',
    combinedForReaders: (formats: string) => `For feed readers: ${formats}.`,
    poster: 'Poster to print',
    setUpScreen: 'Set up a screen',
    opml: 'All news feeds for a feed reader (OPML)',
  },
  /** Below forms with a search. `isMore` means that there may be more. */
  matches: {
    entries: (count: number, isMore: boolean) =>
      count === 0
        ? 'No upcoming entries match right now. As soon as one does, it will appear.'
        : `${isMore ? 'At least ' : ''}${plural(count, { one: '1 upcoming entry matches', other: `${count} upcoming entries match` })} right now.`,
    items: (count: number, isMore: boolean) =>
      count === 0
        ? 'No items match right now. As soon as one does, it will appear.'
        : `${isMore ? 'At least ' : ''}${plural(count, { one: '1 item matches', other: `${count} items match` })} right now.`,
    show: 'Show matches',
  },
  /** How often apps check for changes. */
  howSoon: {
    title: 'How soon changes appear',
    about:
      'Changes on the website appear here within minutes. How often your app checks depends on the app.',
    app: 'Calendar or reader',
    checks: 'Checks for changes',
    rows: [
      [
        'Apple Calendar',
        'every 15 minutes to once a week, depending on your settings: on iPhone under Settings › Apps › Calendar › Calendar Accounts › Fetch New Data, on Mac in the settings of the calendar (Auto-refresh)',
      ],
      [
        'Google Calendar',
        'every 8 to 24 hours, which cannot be changed. Add calendars on a computer; the phone app cannot',
      ],
      ['Outlook.com, Microsoft 365', 'about every 3 hours, sometimes once a day'],
      ['Outlook for Windows', 'when it starts, then every 1 to 3 hours'],
      ['Thunderbird', 'depending on the settings of each calendar'],
      ['Android', 'depending on the settings of an app for calendar subscriptions, such as ICSx⁵'],
    ] as readonly (readonly [app: string, often: string])[],
    readers: ['Feed readers', 'usually every 15 to 60 minutes'] as readonly [string, string],
  },
  /** The form for choosing the content of a link's combined feeds. */
  choice: {
    title: 'All in one',
    about:
      'One address with everything you choose below. You can change your choice later: the address on your phone stays the same.',
    isPersonal:
      'This link is for one person. No matter what you choose, My calendar also shows that person’s own sign-ups and when their certifications expire.',
    saved: 'Your choice is saved. Your apps show it the next time they check for changes.',
    isEmpty: (title: string) =>
      `${title} is empty: the feeds selected for it are no longer available. Choose others below.`,
    calendar: 'My calendar',
    news: 'My news',
    newsForReaders: 'My news, for feed readers',
    theAddressOf: (label: string) => `the address of ${label}`,
    chooseContent: 'Choose what they show',
    optional: '(optional)',
    isShared:
      'Your choice is saved for this link, so it applies to everyone who uses the same link.',
    reminderFor: (title: string) => `Reminder for ${title}`,
    sameAsAbove: 'same as above',
    noReminder: 'none',
  },
  /** Code for the organization's own website. */
  website: {
    title: 'For your website',
    about:
      'Events and news can be part of the organization’s own pages, and stay up to date there.',
    updateCode: 'Update code',
    preview: 'Preview',
    theCode: (label: string) => `the ${label}`,
    show: 'Show',
    layout: 'Layout',
    layouts: { list: 'List', cards: 'Cards', month: 'Month (calendars only)' },
    colors: 'Colors',
    themes: {
      auto: 'Match your page',
      light: 'Light',
      dark: 'Dark',
      device: 'Match the visitor’s device',
    },
    html: 'Code for WordPress, Squarespace and HTML',
    htmlHelp:
      'HTML: paste it into the page. WordPress: add a “Custom HTML” block and paste it there. Only administrators and editors can save it. Squarespace: add a “Code” block and paste it there, with “Display source” off.',
    url: 'Address for Google Sites',
    urlHelp:
      'Google Sites: choose Insert › Embed › By URL and paste it there. Then drag the frame to the height you need.',
    frame: 'Frame for other site builders',
    frameHelp:
      'Paste it where the site builder accepts HTML or embed code, such as “Embed HTML” in Wix.',
  },
  /** Page that explains how to use a link as an account in calendar apps. */
  account: {
    link: 'Add as a calendar account',
    title: (site: string) => `Calendar account – ${site}`,
    heading: 'One account for all calendars',
    about:
      'Your app shows each calendar in its own color, adds new ones automatically, and checks for changes more often. The calendars are read-only.',
    aboutContacts: 'The members’ contact information stays up to date, too.',
    instead: 'Use this instead of subscribing. If you do both, every entry appears twice.',
    apple: {
      name: 'iPhone, iPad and Mac',
      add: 'Download the profile',
      open: 'On an iPhone or iPad, open Settings and tap “Profile Downloaded”. On a Mac, open the downloaded file, and then System Settings › General › Device Management.',
      installSigned:
        'Install the profile. It contains only this account, and your device shows who signed it.',
      installUnsigned:
        'Install the profile. Your device will warn you that it is not signed. It contains only this account.',
    },
    android: {
      add: 'Open in DAVx⁵',
      steps: [
        'Install DAVx⁵ from Google Play or F-Droid.',
        'Come back to this page and tap the button above, or enter the values below.',
        'Select the calendars you want.',
      ],
    },
    other: {
      name: 'Thunderbird, Evolution and others',
      steps: [
        'Add a calendar “on the network”, or a CalDAV account.',
        'Copy these values into the fields.',
        'Select the calendars you want.',
      ],
    },
    server: 'Server address',
    user: 'User name',
    password: 'Password',
    isSecret:
      'Anyone with this password can read everything this link shows. Please do not share it.',
  },
  /** The members' contact data. */
  members: {
    title: (site: string) => `Members – ${site}`,
    heading: 'Members',
    isPrivate:
      'This page is private: anyone who has its address can read these phone numbers and addresses. Please do not share it.',
    saveEveryone: 'Save everyone in an address book',
    oneByOne:
      'On a phone, add people one at a time: many browsers on phones read only the first person in a file. On a computer, import everyone at once:',
    addressBook: 'Address book (vCard)',
    spreadsheet: 'Spreadsheet (CSV)',
    spreadsheetForGoogle: 'Spreadsheet (CSV), also for Google Contacts',
    noUpdates:
      'An address book does not pick up later changes. Importing again can make second copies, so delete the older ones first.',
    /** Follows a phone number. */
    phones: {
      CELL: ' (mobile)',
      HOME: ' (home)',
      WORK: ' (work)',
      FAX: ' (fax)',
      PAGER: ' (pager)',
      VOICE: '',
    },
    email: 'Email',
    emailTo: (name: string) => `to ${name}`,
    addToContacts: 'Add to contacts',
    noMembers: 'The website lists no members.',
  },
}
