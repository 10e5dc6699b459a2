import type { Excess } from '../../../front/rejections.ts'
import { pluralIn } from '../../../records/messages.ts'

const plural = pluralIn('en')

/** Returns a link, as HTML. */
export type Link = (text: string) => string

export type BrowsingMessages = typeof english

/** Text of the pages that show the feeds' content, and of error pages. */
export const english = {
  site: {
    mainNavigation: 'Main',
    privatePage: 'Private page',
    homeOf: (name: string) => `Calendars and news of ${name}`,
    calendarFormat: 'calendar',
    followCalendars: 'Follow these calendars',
  },
  /** Lists of entries, and filters for them. */
  entries: {
    filters: 'Show and hide',
    all: 'All',
    onlyMine: 'Only mine',
    isShown: ' (shown)',
    isHidden: ' (hidden)',
    days: 'Days',
    months: 'Months',
    list: 'List',
    today: 'Today',
    thisWeek: 'This week',
    laterIn: (month: string) => `Later in ${month}`,
    earlier: 'Earlier',
    later: 'Later',
    searchLabel: 'Search entries',
    searchHint: 'Search entries',
    search: 'Search',
    matching: (count: number, shown: string, filter: string) =>
      `${shown} ${count === 1 ? 'entry matches' : 'entries match'} “${filter}”.`,
    showAll: 'Show all',
    followMatching: 'Follow this selection',
    comingUp: 'Coming up',
    alsoComingUp: 'Also coming up',
    alsoRunning: 'Also running',
    latest: 'Latest',
    you: (role: string) => `You: ${role}`,
    full: 'full',
    open: (open: number) => `${open} open`,
    placesOpen: (open: number, places: number) =>
      plural(places, { one: `${open} of 1 place open`, other: `${open} of ${places} places open` }),
  },
  /** Certifications by the time until they expire. */
  certifications: {
    about: 'Only people with this link can see this page.',
    expired: 'Expired',
    within: (days: number) => `Within ${days} days`,
    none: 'None',
  },
  agenda: {
    /** Shifts and sign-up sheets on one page. */
    roster: {
      title: 'Duty and sign-ups',
      duty: 'On duty',
      noShifts: 'No shifts on these days.',
      noSheets: 'No sign-up sheets on these days.',
    },
    title: 'Calendar',
    description: (name: string) => `Upcoming events from ${name}.`,
    nothingYet: (follow: Link) =>
      `Nothing planned yet. ${follow('Follow now')}, and new events will show up automatically.`,
    nothing: (follow: Link) =>
      `Nothing planned for these days. ${follow('Follow now')}, and new events will show up automatically.`,
  },
  month: {
    title: 'Month',
    description: (month: string, name: string) =>
      `Events from ${name} in ${month}, to read and print.`,
    days: 'Days',
    earlier: 'Earlier days',
    thisMonth: 'This month',
    print: 'Print',
    isToday: ' (today)',
    more: (_count: number, shown: string) => `${shown} more`,
    nothing: (follow: Link) =>
      `Nothing planned this month. ${follow('Follow now')}, and new events will show up automatically.`,
  },
  freeDays: {
    title: 'Free days to rent',
    description: (name: string) => `Free days of ${name}’s halls in the next 12 months.`,
    explanation:
      'Free and taken days in the next 12 months. A day is yours once we confirm your request.',
    request: 'Request a day on the website',
    halls: 'Halls and rooms',
    uses: { free: 'free', partly: 'partly taken', taken: 'taken' },
    saturdays: (days: readonly string[]) => `Next free Saturdays: ${days.join(', ')}.`,
    unread:
      'Some bookings could not be read, so a day that looks free may be taken. Please ask us before you plan.',
    distantEnd: (days: readonly string[]) =>
      `On our website, a booking that starts on this day ends a year or more later: ${days.join(', ')}. Only its first day counts here. Please ask us about later days.`,
  },
  event: {
    isOver: 'This event has ended.',
    isTentative: 'Not confirmed yet. The time and place may change.',
    changed: (day: string) => `Changed: ${day}`,
    when: 'When',
    where: 'Where',
    map: 'Show on a map',
    signUp: 'Sign-up',
    full: 'Full',
    seeSheet: 'See the sheet on the website',
    signUpOnWebsite: 'Sign up on the website',
    places: 'Places',
    placesTaken: (taken: number, places: number) =>
      plural(places, {
        one: `${taken} of 1 place taken`,
        other: `${taken} of ${places} places taken`,
      }),
    contact: 'Contact',
    add: {
      title: 'Add to your calendar',
      file: 'Add this event',
      google: 'Add to Google Calendar',
      googleName: 'Google Calendar',
      explanation: (follow: Link) =>
        `This adds a copy, which does not change if the event moves. ${follow('Follow the calendar')} to stay up to date. If you follow it, you already have this event.`,
    },
  },
  /** Single entries. The script replaces {n} with their number. */
  kept: {
    title: 'Keep it up to date',
    explanation:
      'Adds a calendar with only the events that you save here, and keeps it up to date.',
    save: 'Save this event',
    saved: 'Saved events ({n})',
    full: (most: number) =>
      `You have saved ${most} events, which is the maximum. Remove one first.`,
  },
  share: {
    title: 'Share',
    share: 'Share…',
    copy: 'Copy address',
    copied: 'Copied',
    copyByHand: 'Copy the address from the top of the window.',
    email: 'Email',
    message: 'Text message',
    flyer: 'Printable flyer',
    picture: 'Save as a picture',
    flyerUse:
      'For the counter, the bulletin board or social media. Prints on one page of Letter or A4 paper.',
  },
  news: {
    description: (title: string, name: string) => `${title} of ${name}, by category and month.`,
    kinds: 'Kinds of documents',
    categories: 'Categories',
    searchLabel: 'Words to search for',
    searchHint: 'Search',
    search: 'Search',
    foundStories: (count: number, shown: string, { month, search }: Found) =>
      `${shown} ${count === 1 ? 'story' : 'stories'}${foundWhere(month, search)}.`,
    foundDocuments: (count: number, shown: string, { month, search }: Found) =>
      `${shown} ${count === 1 ? 'document' : 'documents'}${foundWhere(month, search)}.`,
    showAll: 'Show all',
    followSearch: 'Follow this search (RSS)',
    noStories: (follow: Link) =>
      `No news yet. ${follow('Follow now')}, and new stories will show up automatically.`,
    noDocuments: (follow: Link) =>
      `No documents yet. ${follow('Follow now')}, and new documents will show up automatically.`,
    pages: 'Pages',
    newer: 'Newer',
    older: 'Older',
    /** A single story. */
    newerStory: 'Newer',
    olderStory: 'Older',
    archive: 'Archive',
    allMonths: 'All months',
    feedReader: 'Follow in a feed reader (RSS)',
    stories: 'Stories',
    moreIn: (category: string) => `More in ${category}`,
    allOf: (title: string) => `All ${title.toLowerCase()}`,
  },
  /** The page that searches everything. */
  search: {
    title: 'Search',
    hint: 'Events, news, documents…',
    explanation:
      'Finds everything that contains all of your words. Put phrases in "quotation marks", and a minus sign before words to exclude.',
    found: (count: number, shown: string, search: string) =>
      `${shown} ${count === 1 ? 'match' : 'matches'} for “${search}”.`,
    nothing: (search: string) =>
      `Nothing matches “${search}”. Check the spelling, or try fewer words or just the beginning of a word.`,
    shown: (shown: string, count: string) => `${shown} of ${count} shown.`,
    allIn: (title: string) => `All in “${title}”`,
    inCalendar: 'All in the calendar',
    follow: 'Follow this search in your calendar',
    otherApps: 'Other apps',
  },
  county: {
    departmentCount: (count: number) => (count === 1 ? '1 department' : `${count} departments`),
    description: (departments: string) => `Calendars and news from ${departments}.`,
    none: 'No departments are listed here yet.',
    heading: 'Follow all departments in your calendar',
    feedReaders: 'For feed readers:',
    nothingYet: 'Nothing planned yet.',
    news: 'News',
    departments: 'Departments',
    website: 'Website',
    websiteOf: (name: string) => `of ${name}`,
  },
  gone: {
    title: 'Not on the website',
    heading: 'This is no longer on the website',
    explanation: (feed: string) =>
      `This entry of “${feed}” has ended, was deleted, or is not public.`,
    isRemoved: 'The website no longer shows it.',
  },
  poster: {
    title: 'Poster',
    description: (name: string) => `A poster to print that invites people to follow ${name}.`,
    explanation:
      'For the counter, the bulletin board or a truck door. It fills one page of Letter or A4 paper. Choose “Background graphics” when you print, so that the color appears.',
    print: 'Print poster',
    label: 'Poster to print',
    qrCode: (address: string) => `QR code of ${address}`,
    forCalendar: {
      heading: 'Follow us in your calendar',
      tap: 'Tap the button for your calendar',
    },
    forFeedReader: {
      heading: 'Follow us in your feed reader',
      tap: 'Tap the button for your feed reader',
    },
    scan: 'Point your phone’s camera at the code',
    updates: 'New events appear automatically',
  },
  embed: {
    noEntries: 'No upcoming entries.',
    noNews: 'No news yet.',
    follow: 'Follow',
    nextOfAll: 'All calendars: next entry',
    monthOfAll: 'All calendars: month',
  },
  errors: {
    notFound: 'Page not found.',
    invalid: 'The request is invalid.',
    failed: (id: string) => `Something went wrong. Error ID: ${id}.`,
    isBusy: 'The server is busy. Please try again shortly.',
    picturesBusy: 'Too many pictures are being fetched. Please try again shortly.',
    drawsNoPictures:
      'This server cannot draw pictures, because the sharp library does not support its platform.',
    unread: 'The website has not been read yet. Please try again shortly.',
    isSwitchedOff:
      'This feed is currently unavailable. Keep your subscription: the feed comes back automatically once the website provides it again.',
    isStoreFull:
      "This cannot be saved, because the disk or database with Feedhouse's data is full. Free some space, then go back and try again.",
    storeFailed: 'The store cannot be reached right now. Please try again shortly.',
    unknownLink: 'Unknown feed link. Ask the person who gave it to you for a new one.',
    linksNotLoaded: 'Feed links are still loading. Please try again shortly.',
    isClosed: 'This feed link is no longer active, so nothing was saved.',
    /** Rejected forms. `setting` is the name of the setting with the address. */
    forms: {
      expired: 'Your session has expired. Reload the admin page.',
      otherAddress: 'This form was submitted from a page at another address.',
      otherAddressThan: (url: string, setting: string) =>
        `This form was submitted from a page at another address. Open the page at ${url}, or correct ${setting}.`,
      otherHost: (setting: string) =>
        `The admin page is not available at this host name. Set ${setting} to the address of Feedhouse, or open the page by IP address.`,
      unreadable: 'The form cannot be read. Please try again.',
      tooManyFields: (max: number) => `The form has more than ${max} fields.`,
      tooLong: (kibibytes: number) =>
        `The text is too long. Use at most ${kibibytes} KiB; split a long list into several lists.`,
    },
    tooMany: {
      'too many variants':
        'Too many different feeds were requested in a short time. Please try again shortly.',
      'too many guesses': 'Too many unknown addresses were requested. Please try again later.',
      'too many saves':
        'Your selection was saved too many times in a short time. Please try again shortly.',
      'too many sign-ins': 'Too many incorrect passwords. Please try again in a minute.',
      'too many account requests':
        'Calendar apps have sent too many requests with this feed link. Please try again shortly.',
    } satisfies Record<Excess, string>,
    isNotIncluded: (feed: string | undefined) =>
      `This feed link does not include ${feed === undefined ? 'this feed' : `the feed "${feed}"`}. Ask the organization's webmaster for another one.`,
    isNotPublic: (feed: string | undefined) =>
      `${feed === undefined ? 'This feed' : `The feed "${feed}"`} is not public. If you have a feed link, look for it on the link's page. Otherwise, ask the organization's webmaster for one.`,
  },
}

type Found = { readonly month: string | undefined; readonly search: string }

function foundWhere(month: string | undefined, search: string): string {
  const from = month === undefined ? '' : ` from ${month}`
  return search === '' ? from : `${from} with “${search}”`
}
