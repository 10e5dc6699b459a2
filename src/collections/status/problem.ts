/** A cause that needs attention. Contains no secrets, no names of people and no labels of links. */
export type Problem = {
  /** Identifies the cause within a site. */
  readonly key: string
  /** A few words for a subject line. */
  readonly title: string
  /** Explains the problem and what to do. */
  readonly sentence: string
  /** When it began, in milliseconds since the epoch. */
  readonly since: number
  /**
   * Urgent problems are reported at any hour. A note can wait for weeks, so reminders of it are rare.
   */
  readonly urgency: 'urgent' | 'normal' | 'note'
}

export type Problems = {
  readonly open: readonly Problem[]
  /** Keys of causes that cannot be assessed at this time, because something else hides them. */
  readonly unknown: ReadonlySet<string>
}
