/** What a feed link is used with, as far as a webmaster wants to know. */
export const linkClients = [
  'Apple',
  'Google',
  'Outlook',
  'Thunderbird',
  'reader',
  'screen',
  'other',
] as const

export type LinkClient = (typeof linkClients)[number]
