import type { Feed } from '../../feeds/feed.ts'
import { followChoiceSchema, type FollowChoice } from '../../followers/follower.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import { dateFormatsOf } from '../../records/date-formats.ts'
import { shortClock } from '../../records/date-words.ts'
import type { SiteContext } from '../../web/context.ts'
import { isForMember } from '../../web/viewer.ts'
import { selectFrom, type Choice } from '../../web/feed-options-form.ts'
import { followMessages } from './messages.ts'

/* The form in which followers select feeds and times. */

/** The feeds that a viewer can follow. */
export type Offer = {
  readonly feeds: readonly Feed[]
  readonly isForLink: boolean
  /** True for a member's link. The member's own entries are always included. */
  readonly hasOwn: boolean
}

export type FollowFaults = { readonly feeds?: string; readonly times?: string }

/** Sunday evening, in the site's time zone. */
const defaultWeekly = { day: 7, hour: 18 }

export const defaultChoice: FollowChoice = {
  weekly: defaultWeekly,
  changes: false,
  tomorrow: false,
  emergency: false,
}

const days = [1, 2, 3, 4, 5, 6, 7]

const hours = Array.from({ length: 24 }, (_, hour) => hour)

export function offerFor(
  { isOffered }: SiteContext,
  feeds: readonly Feed[],
  link: LinkEntry | undefined,
): Offer {
  return {
    feeds: feeds.filter(isOffered),
    isForLink: link !== undefined,
    hasOwn: isForMember(link),
  }
}

/** Reads the form. Keeps the parts of the choice that the form does not offer. */
export function readFollowChoice(
  { feeds, isForLink, hasOwn }: Offer,
  posted: URLSearchParams,
  { language, before }: { readonly language: string; readonly before: FollowChoice },
): { readonly choice: FollowChoice; readonly faults: FollowFaults } {
  const chosen = feeds.map(({ id }) => id).filter((id) => posted.getAll('feed').includes(id))
  const time = { day: Number(posted.get('day')), hour: Number(posted.get('hour')) }
  const { data: valid = defaultWeekly } = followChoiceSchema.shape.weekly.safeParse(time)
  const choice = {
    ...before,
    // Undefined stands for all feeds, including those added later.
    feedIds: chosen.length === feeds.length ? undefined : chosen,
    weekly: posted.has('weekly') ? valid : undefined,
    changes: posted.has('changes'),
    tomorrow: isForLink ? posted.has('tomorrow') : before.tomorrow,
  }
  const hasFeeds = chosen.length > 0 || hasOwn
  const hasTimes = choice.weekly ?? (choice.changes || choice.tomorrow || choice.emergency)
  const { faults } = followMessages(language)
  return {
    choice,
    faults: {
      ...(hasFeeds ? {} : { feeds: faults.feeds }),
      ...(hasTimes ? {} : { times: faults.times }),
    },
  }
}

const box = (name: string, label: string, isChosen: boolean): Choice => {
  return { name, value: '1', label, isChosen }
}

export function followForm(offer: Offer, choice: FollowChoice, language: string) {
  const t = followMessages(language)
  const { weekly = defaultWeekly } = choice
  const select = (name: keyof typeof weekly, texts: readonly string[], first: number) => {
    const choices = texts.map((text, index) => [String(index + first), text] as const)
    return selectFrom(
      { name, label: t[name], choices },
      new URLSearchParams({ [name]: String(weekly[name]) }),
    )
  }
  const { kinds } = t
  return {
    feeds: offer.feeds.map((feed) => ({
      name: 'feed',
      value: feed.id,
      label: nameOf(feed, language),
      isChosen: choice.feedIds?.includes(feed.id) ?? true,
    })),
    weekly: box('weekly', kinds.weekly, choice.weekly !== undefined),
    selects: [
      select(
        'day',
        days.map((day) => dayIn(day, language)),
        1,
      ),
      select(
        'hour',
        hours.map((hour) => hourIn(hour, language)),
        0,
      ),
    ],
    hasOwn: offer.hasOwn,
    others: [
      box('changes', kinds.changes, choice.changes),
      ...(offer.isForLink ? [box('tomorrow', kinds.tomorrow, choice.tomorrow)] : []),
    ],
  }
}

/** Describes a choice, with one line for each part. */
export function choiceInWords(
  { weekly, changes, tomorrow, emergency, feedIds }: FollowChoice,
  language: string,
  { feeds }: { readonly feeds: readonly Feed[] },
): readonly string[] {
  const t = followMessages(language).choice
  const titles = feeds.flatMap((feed) => (feedIds?.includes(feed.id) ? nameOf(feed, language) : []))
  const lines = [
    weekly && t.weekly(dayIn(weekly.day, language), hourIn(weekly.hour, language)),
    changes && t.changes,
    tomorrow && t.tomorrow,
    emergency && t.emergency,
    titles.length > 0 && t.feeds(titles.join(', ')),
    feedIds?.length === 0 && t.ownOnly,
  ]
  return lines.filter((line) => typeof line === 'string')
}

function nameOf({ textIn }: Feed, language: string): string {
  const { title, label = title } = textIn(language)
  return label
}

/** Returns the name of a weekday, from 1 for Monday to 7 for Sunday. */
function dayIn(day: number, language: string): string {
  // January 1, 2024, was a Monday.
  return dateFormatsOf(language).longWeekday(new Date(Date.UTC(2024, 0, day)))
}

function hourIn(hour: number, language: string): string {
  return shortClock(`2024-01-01T${String(hour).padStart(2, '0')}:00:00`, language)
}
