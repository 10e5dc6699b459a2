/** Message to operators when a cause no longer exists, by its key. */
const endings = {
  'website-unreachable': 'The website can be read again',
  'token-refused': 'The website accepts the token again',
  'address-refused': "The website accepts this server's IP address again",
  'project-disabled': 'The API Project can be used again',
  'endpoint-refused': 'All endpoints in use are allowed again',
  'records-held': 'No records are missing anymore',
  'records-stale': 'All records can be read again',
  'nothing-read': 'The website is being read again',
  'calls-used-up': 'API calls are available again',
  'store-failing': 'The store works again',
  'documents-lost': 'Lost data has been restored, or settings were saved',
  'documents-restored': 'Redis has lost no data for a day',
  'disk-nearly-full': 'The disk has enough space again',
  'clock-wrong': 'The time zone and the clocks are right again',
  'zone-rules-old': 'The time zone rules are up to date again',
  'certificate-ending': 'The certificate has been renewed',
  'refresh-token-ending': 'The refresh token has been replaced',
  'links-unused': 'All feed links are used, or have been revoked',
  'links-shared': 'No feed link has unusually many readers anymore',
  'follow-mail-failing': 'Emails to followers can be sent again',
  'follow-mail-refused': 'Only a few emails to followers are refused now',
  'follow-bounces-failing': 'Bounced emails can be read again',
  'followers-unreadable': "All followers' addresses can be read again",
  'follow-push-refused': 'The push services accept the notifications again',
} as const

export type ProblemKey = keyof typeof endings

export function endingOf(key: string): string | undefined {
  return new Map<string, string>(Object.entries(endings)).get(key)
}

/** A cause that needs attention. Contains no secrets, people's names or link labels. */
export type Problem = {
  readonly key: string
  readonly title: string
  readonly sentence: string
  /** When it began, in milliseconds since the epoch. */
  readonly since: number
  /** Urgent problems are reported at any hour. Reminders about notes are less frequent. */
  readonly urgency: 'urgent' | 'normal' | 'note'
}

export type Problems = {
  readonly open: readonly Problem[]
  /** Keys of causes that cannot be checked now, because another problem hides them. */
  readonly unknown: ReadonlySet<string>
}
