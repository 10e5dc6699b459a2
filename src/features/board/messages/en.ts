export type ComposerMessages = typeof english

type Markup = (text: string) => string

export const english = {
  feedsUnavailable:
    'The feeds on this board are currently unavailable. They come back automatically once the website provides them again.',
  /** Pictures replace titles in scripts that their font does not have. */
  undrawable: {
    inScript: 'Title that cannot be shown here ({script})',
    otherwise: 'Title that cannot be shown here',
  },
  title: 'New screen',
  intro:
    'For a TV, tablet or player at the station. Choose what it shows, then open its address there.',
  show: 'Show',
  heading: 'Heading',
  moreOptions: 'More options',
  dutyAndFilters: 'Duty and filters',
  duty: 'On duty, from these calendars',
  onlyTheseOf: (feed: string) => `Only these of ${feed}`,
  preview: 'Preview',
  wideScreen: 'Wide screen',
  uprightScreen: 'Upright screen',
  showPreview: 'Show preview',
  previewTitle: 'Preview of the screen',
  address: 'Address for the screen',
  copy: (unseen: Markup) => `Copy${unseen(' the address for the screen')}`,
  privateAddress:
    'This address is private: the screen shows what the feed link includes. Create one link for each screen, so that you can revoke them individually.',
  qrCode: 'QR code of the address for the screen',
  scan: 'Scan the code with a tablet or a player’s app to open the address there.',
  openHere: 'Open the screen here',
  pictures: {
    title: 'As a picture, for e-paper and photo frames',
    epaper: 'Black and white, 800 × 480 pixels',
    frame: 'In color, 1280 × 800 pixels',
  },
  noFeed: 'Choose at least one feed.',
  /** Lengths are in the units that the message names. */
  tooSmall: (inches: number, distance: number, max: { meters: string; feet: number }) =>
    `A screen of ${inches} inches is too small to be read from ${distance} meters. The text is as large as possible, and is readable from up to ${max.meters} meters (${max.feet} feet). Choose a larger screen or a shorter distance.`,
  inches: (inches: number) => `${inches} inches`,
  /** Choices by value. The first one is the default. */
  fields: {
    theme: {
      label: 'Theme',
      choices: { '': 'Dark', light: 'Light', auto: 'Follows the device' },
    },
    accent: {
      label: 'Accent color',
      choices: {
        '': 'The site’s color',
        b22222: 'Red',
        d2691e: 'Orange',
        '2e8b57': 'Green',
        '4169e1': 'Blue',
        '6a5acd': 'Purple',
      },
    },
    distance: {
      label: 'Readable from',
      choices: { '': '3 meters (10 feet)', 5: '5 meters (16 feet)', 10: '10 meters (33 feet)' },
    },
    inches: { label: 'Size of the screen', choices: {} },
    rotate: { label: 'Seconds per page', choices: {} },
    changes: {
      label: 'Changes in the last 24 hours',
      choices: { '': 'Not listed', 1: 'Listed' },
    },
    lang: {
      label: 'Language',
      choices: {
        '': "The website's language",
        'en-US': 'English (United States)',
        'en-GB': 'English (United Kingdom)',
        de: 'German',
        es: 'Spanish',
        fr: 'French',
      },
    },
    qr: {
      label: 'QR code for subscribing',
      choices: { '': 'Shown on public boards', 0: 'Not shown' },
    },
    motion: { label: 'Pages', choices: { '': 'Fade', 0: 'Change instantly' } },
  },
}
