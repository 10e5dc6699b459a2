export type CardMessages = typeof english

/** Text on the cards that admins print for readers. */
export const english = {
  contents: { calendar: 'calendar', news: 'news', members: 'member list' },
  yours: (contents: readonly string[]) => `Your ${contents.join(' and ')}`,
  qrCode: (label: string) => `QR code of the link for ${label}`,
  howToOpen: 'Scan the code, or type the address without spaces. Keep it to yourself.',
  until: (day: string) => `Works until ${day}.`,
}
