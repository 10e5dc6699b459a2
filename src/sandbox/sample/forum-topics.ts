import type { ForumTopic } from '../resources/discuss.ts'
import { plusDays } from '../site-dates.ts'
import { memberNames } from './members.ts'
import { pick, weeksAround, type Week } from './weeks.ts'

const weeksBack = 30

type Status = ForumTopic['status']

type Draft = {
  readonly title: string
  readonly text: string
  readonly replies: readonly string[]
}

const drafts: readonly [Draft, ...Draft[]] = [
  {
    title: 'Saturday work detail',
    text: 'Hose bed of Engine 1 needs repacking. Who has an hour?',
    replies: ['I do, after nine.', 'Count me in & I bring coffee.', 'Sorry, working.'],
  },
  {
    title: 'New radios: channel order?',
    text: 'Please look at the proposal before the business meeting.',
    replies: ['Put county dispatch first.', 'Agreed.'],
  },
  { title: 'Lost: left glove', text: 'Size L, extrication, probably in Rescue 2.', replies: [] },
  {
    title: 'Carnival volunteers',
    text: 'We are short on <b>Friday</b> night.',
    replies: ['Grill.', 'Parking.', 'Grill too.', 'Anything but the dunk tank.'],
  },
]

/** 1 = Online, 2 = Offline, 3 = Locked. */
const statuses: readonly [Status, ...Status[]] = [1, 1, 2, 1, 3]

/** Returns one topic every third week, with all its replies. */
export function sampleForumTopics(today: string): readonly ForumTopic[] {
  return weeksAround(today, weeksBack, -1)
    .filter(({ number }) => number % 3 === 0)
    .map(topicOfWeek)
}

function topicOfWeek({ number, monday }: Week): ForumTopic {
  const { title, text, replies } = pick(drafts, number / 3)
  const status = pick(statuses, number / 3)
  const created = `${monday} 20:11:00`
  const posts = replies.map((reply, index) => {
    const postedAt = `${plusDays(monday, index + 1)} 18:30:00`
    return {
      id: number * 10 + index,
      title: `Re: ${title}`,
      // A moderator removed the third reply of some topics.
      status: index === 2 && number % 2 === 0 ? 2 : 1,
      locked: 0,
      created: postedAt,
      createdBy: nameOf(number + index + 1),
      lastPost: postedAt,
      text: reply,
    } as const
  })
  return {
    id: number,
    title,
    status,
    locked: status === 3 ? 1 : 0,
    created,
    createdBy: nameOf(number),
    lastPost: posts.at(-1)?.created ?? created,
    text,
    replies: posts,
  }
}

function nameOf(number: number): string {
  return memberNames.get((number % memberNames.size) + 1) ?? ''
}
