/** Calendar apps and readers that use feed links, in as much detail as a webmaster needs. */
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
