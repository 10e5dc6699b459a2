import { z } from 'zod'
import * as field from './field.ts'
import { isDuring, recordOf, type Resource } from './resource.ts'

const online = 1

const post = z.strictObject({
  id: field.id,
  title: field.title,
  /** 1 = Online, 2 = Offline, 3 = Locked. */
  status: z.literal([1, 2, 3]),
  locked: field.flag,
  created: field.optionalDateTime,
  createdBy: field.text,
  lastPost: field.dateTime,
  text: field.text,
})

const forumTopic = post.extend({
  /** Defaults to the number of replies. */
  replyCount: z.int().min(0).optional(),
  replies: field.listOf(post),
})

export type ForumTopic = Readonly<z.output<typeof forumTopic>>

export const discuss: Resource<ForumTopic> = {
  record: forumTopic,
  select(topics, parameters) {
    const id = parameters.number('ID')
    const period = parameters.period()
    if (id !== undefined) {
      const topic = recordOf(topics, id)
      return { items: topic.replies, extra: { topic: { ...listed(topic), text: topic.text } } }
    }
    return { items: topics.filter(({ lastPost }) => isDuring(period, lastPost)).map(listed) }
  },
}

function listed({ text: _text, replies, replyCount, ...topic }: ForumTopic) {
  const counted = replies.filter(({ status }) => status === online).length
  return { ...topic, replyCount: replyCount ?? counted }
}
