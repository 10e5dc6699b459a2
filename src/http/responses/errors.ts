import type { Feed } from '../../feeds/feed.ts'
import type { LinkNotice } from '../../feeds/link-notice.ts'
import type { LinkState } from '../../links/feed-link.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { ChosenOptions, OptionsReading } from '../../options/option.ts'
import { databaseIdFrom } from '../../records/resources.ts'
import type { Rejection } from '../server/rejections.ts'

/* Errors that `error-handler.ts` maps to statuses. */

const sentences = {
  'too many variants':
    'Too many different feeds were requested in a short time. Please try again shortly.',
  'too many guesses': 'Too many unknown addresses were requested. Please try again later.',
  'too many saves':
    'Your selection was saved too many times in a short time. Please try again shortly.',
  'too many sign-ins': 'Too many incorrect passwords. Please try again in a minute.',
} satisfies Partial<Record<Rejection, string>>

export type Excess = keyof typeof sentences

/** Thrown when a client has exceeded a rate limit. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly refusal: Excess
  readonly retryAfterMs: number

  constructor(refusal: Excess, retryAfterMs: number) {
    super(sentences[refusal])
    this.refusal = refusal
    this.retryAfterMs = retryAfterMs
  }
}

/** Thrown while a dependency is temporarily unavailable. The message is shown to users. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause })
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

  /** The message never contains the title of a custom database, because somebody may have guessed its id. */
  constructor(
    { textIn, resource = '' }: Pick<Feed, 'textIn'> & { readonly resource?: string },
    link: LinkEntry | undefined,
  ) {
    const isDatabase = databaseIdFrom(resource) !== undefined
    const feed = isDatabase ? 'this feed' : `the feed "${textIn('en').title}"`
    super(
      link
        ? `This feed link does not include ${feed}. Ask the organization's webmaster for another one.`
        : `T${feed.slice(1)} is not public. If you have a feed link, look for it on the link's page. Otherwise, ask the organization's webmaster for one.`,
    )
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
    super('This feed link is no longer active, so nothing was saved.')
    this.kind = kind
    this.closed = closed
  }
}
