import { pluralIn } from '../../../../records/messages.ts'

export type SettingsMessages = typeof english

const plural = pluralIn('en')

/** Text of the settings page. `fault` is the end of an English sentence about an invalid value. */
export const english = {
  title: 'Settings',
  about:
    'What people see on the pages, and which feeds anyone can read. Changes take effect within seconds. Values in gray are the defaults: enter a value to replace one, or leave the field empty to keep it.',
  saved: 'Your changes are saved and take effect within seconds.',
  fields: {
    name: 'Name of the organization',
    place: 'Town and state',
    color: 'Color of buttons and links: a name, like firebrick, or six hex digits, like b3261e',
    logo: 'https URL of the logo, instead of an upload',
    language: 'Language of the website',
    fresh: 'Refresh interval in seconds, 60 to 86400',
  },
  default: (value: string) => `Default: ${value}`,
  none: 'none',
  startedLogo: 'the logo that Feedhouse was started with',
  initials: 'initials',
  startedPlaces: (count: number) =>
    plural(count, {
      one: 'the place that Feedhouse was started with',
      other: `the ${count} places that Feedhouse was started with`,
    }),
  chooseColor: 'Choose a color',
  variants: { light: 'Light', dark: 'Dark' },
  contrast: (variant: string, contrast: string) => `${variant}: contrast ${contrast} to 1`,
  buttons: { light: 'Button, light', dark: 'Button, dark' },
  upload: 'Logo: a square PNG, JPEG, WebP or GIF picture, at least 512 pixels wide',
  logoKept: 'The logo that you chose is kept. Save to use it.',
  logo: 'Logo',
  removeLogo: 'Remove the uploaded logo',
  publicFeeds: 'Public feeds',
  aboutPublicFeeds: 'Anyone can read public feeds. All others require a feed link.',
  onlyThese: 'Only these:',
  more: 'More settings',
  places:
    'Places on the map: one per line, with the name that the website uses, the address and the coordinates, separated by |',
  placeExample: 'Station 1 | 12 Main Street, Cedar Hollow, NY 10001 | 42.123456, -74.2',
  databases: 'Make feeds from custom databases',
  otherInSitesFile:
    'All other settings, such as the website, the call limits and this page’s password, are in the sites file. They take effect when the file is changed.',
  otherInEnvironment:
    'All other settings, such as the website, the call limits and this page’s password, are environment variables. They take effect when Feedhouse is restarted.',
  save: 'Save',
  faults: {
    name: (fault: string) => `The name ${fault}.`,
    place: (fault: string) => `The place ${fault}.`,
    color: (fault: string) => `The color ${fault}.`,
    logo: (fault: string) => `The logo ${fault}.`,
    language: (fault: string) => `The language ${fault}.`,
    publicFeeds: (fault: string) => `The public feeds ${fault}.`,
    fresh: (fault: string) => `The interval ${fault}.`,
    places: (fault: string) => `The list of places ${fault}.`,
    invisible: (_field: string, sentence: string) => sentence,
    picture: 'The logo is not a picture that can be used. Choose a PNG, JPEG, WebP or GIF file.',
    changed:
      'Someone else has changed the settings since you opened this page, so nothing was saved. Check your values, then save again to replace the other changes.',
  },
  placeFaults: {
    line: (line: number, name: string | undefined, fault: string) =>
      `Places, line ${line}${name === undefined ? '' : ` (${name})`}: ${fault}.`,
    parts: (fault: string) => fault,
    name: (fault: string) => fault,
    address: (fault: string) => fault,
    latitude: (fault: string) => fault,
    longitude: (fault: string) => fault,
    duplicate: (fault: string) => fault,
  },
}
