export type FrameMessages = typeof english

/** Text that the admin pages share, and text of the cards that admins print for readers. */
export const english = {
  admin: 'Admin',
  titled: (page: string, site: string) => `${page} – Admin – ${site}`,
  pages: {
    links: 'Links',
    status: 'Status',
    previews: 'Previews',
    screens: 'Screens',
    followers: 'Followers',
    databases: 'Databases',
    settings: 'Settings',
    home: 'Home page',
  },
  signOut: 'Sign out',
  signIn: {
    title: 'Sign in',
    heading: 'Admin sign-in',
    about: (site: string) =>
      `Feed links, screens, settings and status, for the webmaster of ${site}.`,
    incorrect: 'Incorrect password.',
    password: 'Password',
    button: 'Sign in',
  },
  cards: {
    contents: { calendar: 'calendar', news: 'news', members: 'member list' },
    yours: (contents: readonly string[]) => `Your ${contents.join(' and ')}`,
    qrCode: (label: string) => `QR code of the link for ${label}`,
    howToOpen: 'Scan the code, or type the address without spaces. Keep it to yourself.',
    until: (day: string) => `Works until ${day}.`,
  },
}
