import { z } from 'zod'
import * as field from './fields.ts'

const post = {
  id: field.id,
  title: field.text,
  status: field.oneOf({ 1: 'online', 2: 'offline', 3: 'locked' }),
  locked: field.flag,
  created: field.optionalDateTime,
  createdBy: field.text,
  lastPost: field.optionalDateTime,
}

export const forumTopicSchema = z.object({ ...post, replyCount: field.optionalNumber })

export const forumReplySchema = z.object({ ...post, text: field.text })
