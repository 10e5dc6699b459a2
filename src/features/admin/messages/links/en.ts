import { membersTexts } from '../../../../feeds/catalog/members.ts'
import { memberFaults } from '../../../../feeds/personal-members.ts'
import { pluralIn } from '../../../../records/messages.ts'

export type LinkMessages = typeof english

const plural = pluralIn('en')

export const english = {
  all: 'All feed links',
  title: 'Feed links',
  about:
    'Each link opens a private page with calendars and news. Create one for each member, officer or screen, so that you can revoke each one separately.',
  health: {
    starting: 'Starting.',
    good: 'All good.',
    bad: (count: number) =>
      plural(count, { one: 'Needs attention.', other: `${count} notices need attention.` }),
    notes: (count: number) =>
      plural(count, { one: 'There is one note.', other: `There are ${count} notes.` }),
  },
  list: {
    label: 'Links',
    new: 'New link',
    poster: 'Poster',
    posterUse: 'for the public feeds',
    fromList: 'Links from a list',
    invite: 'Invite members',
    changed: {
      saved: 'Your changes are saved.',
      paused: 'The link is paused.',
      resumed: 'The link works again.',
      revoked: 'The link is revoked.',
    },
    unavailable: 'The links cannot be listed right now. Existing links keep working.',
    none: 'No links yet.',
    firstSteps: (settings: (text: string) => string) =>
      `First set the name, color, logo and public feeds under ${settings('Settings')}. Then create a link for yourself, and open it on your phone to see what members will see.`,
    search: 'Search',
    sortBy: 'Sort by',
    sorts: {
      newest: 'Newest first',
      name: 'Name',
      used: 'Recently used first',
      expires: 'Expiring soonest',
    },
    show: 'Show',
    matching: (count: number, shown: string) =>
      plural(count, { one: '1 link matches.', other: `${shown} links match.` }),
    showAll: (count: string) => `Show all ${count}`,
    ended: (count: string) => `Ended links (${count})`,
    endedOnPage: (count: string) => `Ended links (${count} on this page)`,
    pages: 'Pages of links',
    page: (page: number, count: number) => `Page ${page} of ${count}`,
    previous: 'Previous page',
    next: 'Next page',
    lost: 'Lost the address? The address and its QR code cannot be shown again, because Feedhouse does not store the address itself. Renew the link to get a new address.',
    for: 'For',
    shows: 'Shows',
    lastReadBy: 'Last read by',
    state: 'State',
    late: 'late',
    moreReaders: (count: number) => `and ${count} more`,
    neverUsed: 'Never used',
    details: 'Details',
    edit: 'Edit',
    renew: 'Renew',
  },
  created: (day: string) => `Created ${day}`,
  createdFor: (day: string, member: string) => `Created ${day}, for ${member}`,
  /** A member whose name is unknown. */
  member: (id: number) => `member ${id}`,
  profiles: { public: 'Public', members: 'Members', full: 'Full' },
  profileTexts: {
    public: 'Everything that anyone can read without a link.',
    members:
      'Everything that members can see, including event contacts, but not the names of people who rent or sign up.',
    full: 'Everything, including the names of people who rent or sign up, and unpublished records.',
  },
  allFeeds: 'All feeds',
  states: {
    revoked: 'Revoked',
    paused: 'Paused',
    expired: 'Expired',
    old: 'Old address',
    works: 'Active',
    since: (day: string) => `since ${day}`,
    until: (day: string) => `until ${day}`,
  },
  /** Kinds of apps that have no brand name. */
  apps: {
    'other calendar': 'Other calendar',
    reader: 'Feed reader',
    screen: 'Screen',
    other: 'Browser or other',
  },
  fields: {
    label: 'Name (for example, Capt. Reyes or Hall screen)',
    profile: 'What they can see',
    feeds: 'Feeds',
    allFeeds: 'All feeds, including future ones',
    allExceptSensitive: 'All feeds, including future ones, except sensitive ones',
    onlyThese: 'Only these:',
    sensitive: 'Sensitive:',
    members: 'Members: phone numbers and addresses (requires Full)',
    expires: 'Last day (leave empty for no expiration)',
    member: 'Member (optional): the page greets the member and shows their shifts',
    memberId:
      'ID of a member on the website (optional): the page greets the member and shows their shifts',
    noMember: 'No one in particular',
    unknownMember: (id: string) => `No current member (${id})`,
    loadMembers: 'Load the members from the website',
    reloadMembers: 'Reload the members',
    create: 'Create link',
    createMany: 'Create links',
    save: 'Save',
    cancel: 'Cancel',
  },
  faults: {
    id: 'Reload the admin page.',
    label: (max: number) => `Enter a name of at most ${max} characters.`,
    member: 'Enter the ID of a member on the website, like 12, or leave it empty.',
    profile: 'Choose a profile.',
    feeds: 'Choose all feeds, or “Only these” and at least one feed.',
    expires: 'Choose today or a later date as the last day.',
    overlap: 'Choose how long the old address keeps working.',
    noMembers: {
      'not allowed':
        'The API Project is not allowed to read the members. Allow it on the website, or enter the member’s ID.',
      'not read yet':
        'The members could not be read from the website. Try again later, or enter the member’s ID.',
    },
    notAdded: {
      'too many':
        'The maximum number of feed links has been reached. Revoke links that are no longer needed.',
      'made already':
        'This link was already created, and its address was shown once. If you have lost it, revoke the link and create another.',
    },
    listNotAdded: {
      'too many':
        'This would be more than the maximum number of feed links, so none were created. Revoke links that are no longer needed, or shorten the list.',
      'made already':
        'These links were already created, and their addresses were shown once. If you have lost them, revoke the links and create others.',
    },
    notEdited: {
      revoked:
        'This link has been revoked in the meantime, so nothing was saved. Create a new link.',
      'changed meanwhile':
        'Someone else has changed this link since you opened this page, so nothing was saved. Its current properties are above, and your changes are below. Save again to replace the current properties.',
    },
    notRenewed: {
      revoked:
        'This link has been revoked in the meantime, so it was not renewed. Create a new link.',
      'changed meanwhile':
        'This link has been changed or renewed since you opened this page, so it was not renewed. If the new address is lost, renew the link again.',
    },
  },
  memberFaults,
  membersTexts,
  new: {
    title: 'New feed link',
    about:
      'A private page with calendars and news, for one person or screen. Only people who have the link can open it.',
    linkFor: (label: string) => `Link for ${label}`,
    access: (feeds: string, profile: string) =>
      `Copy, send or print it now: it is shown only once. It gives access to ${feeds} with the profile “${profile}”.`,
    accessUntil: (feeds: string, profile: string, day: string) =>
      `Copy, send or print it now: it is shown only once. It gives access to ${feeds} with the profile “${profile}” until ${day}.`,
    allFeeds: 'all feeds',
    replaces: (day: string) =>
      `It replaces the old address, which works until ${day}. Before then, give the new one to everyone who uses the old one.`,
    address: 'Address',
    copy: 'Copy',
    print: 'Print card',
    open: 'Open link',
    setUpScreen: 'Set up a screen',
  },
  cards: {
    title: 'Cards',
    newLinks: (count: number) =>
      plural(count, { one: 'One new link', other: `${count} new links` }),
    about:
      'Print or save these cards now: the addresses are shown only once. Below, choose a size for A4 or Letter paper.',
    print: 'Print cards',
    size: 'Size',
    business: 'Business cards, eight on a sheet',
    postcards: 'Postcards (A6, about 4 × 6 inches), four on a sheet',
  },
  edit: {
    id: (id: string) => `ID ${id}`,
    isRevoked: 'A revoked link cannot be changed. Create a new one.',
    properties: 'Properties',
    about:
      'Changes take effect within seconds. The address stays the same, so existing subscriptions pick up the change.',
    apps: 'Apps that use it',
    chart: 'Apps on each of the last 30 days',
    lastUsed: (time: string, app: string) => `Last used ${time} (${app}).`,
    unused: 'No app has read this link yet.',
    address: 'Address and QR code',
    aboutAddress:
      'The address and its QR code cannot be shown again, because Feedhouse does not store the address itself. That way, a stolen copy of its data gives no access. To get a new address with the same settings, renew the link.',
    overlap: 'The old address keeps working for',
    days: (count: number) => plural(count, { one: '1 day', other: `${count} days` }),
    lastDay: 'Last day of the new address (optional)',
    renew: 'Renew link',
    resume: {
      title: 'Resume',
      about: 'Everyone who uses this link sees its entries again.',
      button: 'Resume link',
    },
    pause: {
      title: 'Pause',
      about:
        'Until you resume the link, everyone who uses it sees only a notice. They keep their subscriptions.',
      button: 'Pause link',
    },
    revoke: {
      title: 'Revoke',
      summary: 'Revoke link',
      about:
        'The link stops working within seconds. This cannot be undone. For 14 days, its subscribers see a notice.',
      button: 'Revoke now',
    },
  },
  /** The page that creates links from a list. Column names and values are the same in every language. */
  import: {
    title: 'New feed links',
    heading: 'New feed links from a list',
    about:
      'Creates a link for each row and shows a sheet of cards to print. The addresses are shown only once.',
    moreProblems: (count: number) =>
      plural(count, {
        one: 'There is 1 more problem in the list.',
        other: `There are ${count} more problems in the list.`,
      }),
    noneCreated: 'No links were created.',
    names: (max: number, columns: string) =>
      `Names, one per row, at most ${max}. The other columns are optional: ${columns}`,
    example: (columns: string) =>
      `${columns}\nCapt. Reyes,full\nHall screen,members,calendar rental,2027-06-30`,
    file: 'Or a CSV file, which replaces the names above',
    defaults:
      'These values apply to rows in which the column is empty. In the “member” column, enter an ID, or a name once the members are loaded.',
    defaultsWithMembers:
      'These values apply to rows in which the column is empty. In the “member” column, enter an ID or a name.',
    faults: {
      row: (row: number, fault: string) => `Row ${row}: ${fault}`,
      encoding:
        'The file is not in UTF-8, so some letters cannot be read. In Excel, save it as “CSV UTF-8”.',
      empty: 'Enter or choose a list of names.',
      onlyHeader: 'The list has no names below its header.',
      tooMany: (rows: number, max: number) =>
        `The list has ${rows} rows, and the maximum is ${max}. Split it into several lists.`,
      repeatedName: (name: string, row: number) =>
        `The name “${name}” is also in row ${row}. Add something that tells the two links apart.`,
      semicolons: 'Separate the columns with commas instead of semicolons.',
      unknownColumn: (column: string, columns: string) =>
        `The column “${column}” is unknown. The columns are ${columns}.`,
      repeatedColumn: (column: string, columns: string) =>
        `The column “${column}” appears twice. The columns are ${columns}.`,
      tooManyCells: (max: number) =>
        `There are more than ${max} cells. A cell that contains a comma needs quotation marks around it.`,
      name: (max: number) => `Enter a name of at most ${max} characters.`,
      profile: (text: string, [members, full]: readonly [string, string]) =>
        `The profile “${text}” is unknown. Use ${members} or ${full}. A cell that contains a comma needs quotation marks around it.`,
      feed: (id: string, known: string) =>
        `The feed “${id}” is unknown. Use all, or some of ${known}.`,
      expires: (text: string) =>
        `“${text}” cannot be the last day. Use today or a later date, like 2027-06-30, or never.`,
      memberId: (text: string) =>
        `“${text}” is not a member’s ID. Load the members to use their names.`,
      noMember: (text: string) => `The website has no member “${text}”.`,
      severalMembers: (text: string, ids: string) =>
        `Several members are named “${text}”. Use one of their IDs: ${ids}.`,
      textAfterQuote:
        'There is text after a quotation mark. Double each quotation mark inside a cell.',
      unclosedQuote: 'The closing quotation mark of a cell is missing.',
    },
  },
}
