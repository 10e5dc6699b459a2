import type { FeedOption } from '../../options/option.ts'
import { wholeNumber } from '../../options/value-types.ts'
import { isTopicShown, itemsFromForum } from '../../syndication/forum-items.ts'
import { isGuestbookEntryShown, itemsFromGuestbook } from '../../syndication/guestbook-items.ts'
import { defineFeed } from '../define-feed.ts'

export const guestbook = defineFeed({
  id: 'guestbook',
  resource: 'guestbook',
  title: 'Guestbook',
  summary: 'Entries in the guestbook, newest first.',
  boardRole: 'post',
  isNamedOnly: true,
  items: { itemsFrom: itemsFromGuestbook, isShown: isGuestbookEntryShown },
})

const topicOption: FeedOption<number | undefined> = {
  name: 'topic',
  type: wholeNumber(1, 999_999_999),
  defaultValue: undefined,
  selectsRecords: false,
  fields: [],
  example: 'topic=12',
  meaning: '[the replies to this topic](#forum) instead of the topics',
}

export const forum = defineFeed({
  id: 'forum',
  resource: 'discuss',
  title: 'Forum',
  summary: 'Topics in the forum, the latest post first.',
  boardRole: 'post',
  isNamedOnly: true,
  isLinkOnly: true,
  items: {
    itemsFrom: itemsFromForum,
    isShown: isTopicShown,
    moreOptions: { topicId: topicOption },
  },
})
