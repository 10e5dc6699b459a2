import type { NamedFeed } from '../feeds/feed.ts'
import type { LinkNotice } from '../feeds/link-notice.ts'
import type { LinkState } from '../links/feed-link.ts'
import type { LinkEntry } from '../links/link-registry.ts'
import type { ChosenOptions, OptionsReading } from '../options/option.ts'
import { english, type BrowsingMessages } from './messages/browsing/en.ts'
import { databaseIdFrom } from '../records/resources.ts'
import type { Excess } from '../front/rejections.ts'

/* Errors that `error-handler.ts` maps to statuses. */

/** A message, or a function that returns it in a language. Logs and programs get English. */
export type ErrorText = (messages: BrowsingMessages['errors'], language: string) => string

export function inEnglish(text: string | ErrorText): string {
  return typeof text === 'string' ? text : text(english.errors, 'en')
}

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly refusal: Excess
  readonly text: ErrorText
  readonly retryAfterMs: number

  constructor(refusal: Excess, retryAfterMs: number) {
    const text: ErrorText = ({ tooMany }) => tooMany[refusal]
    super(inEnglish(text))
    this.text = text
    this.refusal = refusal
    this.retryAfterMs = retryAfterMs
  }
}

/** Thrown while a dependency is temporarily unavailable. The message is shown to users. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly text: string | ErrorText
  readonly retryAfterMs: number

  constructor(text: string | ErrorText, retryAfterMs: number, cause?: unknown) {
    super(inEnglish(text), { cause })
    this.text = text
    this.retryAfterMs = retryAfterMs
  }
}

/** Thrown for an invalid query parameter. The message is shown to users. */
export class BadOption extends Error {
  override readonly name = 'BadOption'
}

/** Returns the chosen options. Throws `BadOption` if they are invalid. */
export function validOptions<Values>(reading: OptionsReading<Values>): ChosenOptions<Values> {
  if (!reading.ok) throw new BadOption(reading.reason)
  return reading.chosen
}

/** Thrown if the viewer may not read this feed. */
export class PrivateFeed extends Error {
  override readonly name = 'PrivateFeed'
  readonly feedId: string
  readonly text: ErrorText

  /** The message never contains the title of a custom database, because somebody may have guessed its id. */
  constructor(
    { id, textIn, resource = '' }: NamedFeed & { readonly resource?: string },
    link: LinkEntry | undefined,
  ) {
    const isDatabase = databaseIdFrom(resource) !== undefined
    const text: ErrorText = ({ isNotIncluded, isNotPublic }, language) => {
      const feed = isDatabase ? undefined : textIn(language).title
      return link ? isNotIncluded(feed) : isNotPublic(feed)
    }
    super(inEnglish(text))
    this.feedId = id
    this.text = text
  }
}

export type ClosedLink = { readonly state: LinkState; readonly notice: LinkNotice }

/**
 * Determines a route's response under a paused or ended link. An overview shows the notice. A page
 * shows the notice if the link is paused, and otherwise nothing. A file returns a message with the
 * notice, a list returns nothing, and a form returns a message that nothing was saved.
 */
export type RouteKind = 'overview' | 'page' | 'file' | 'list' | 'form'

/** Thrown if a route requests the viewer of a paused or ended link. */
export class LinkClosed extends Error {
  override readonly name = 'LinkClosed'
  readonly kind: RouteKind
  readonly closed: ClosedLink | undefined

  constructor(kind: RouteKind, closed?: ClosedLink) {
    super(english.errors.isClosed)
    this.kind = kind
    this.closed = closed
  }
}
