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

export const forum = defineFeed({
  id: 'forum',
  resource: 'discuss',
  title: 'Forum',
  summary: 'Topics in the forum, the latest post first.',
  boardRole: 'post',
  isNamedOnly: true,
  isLinkOnly: true,
  items: { itemsFrom: itemsFromForum, isShown: isTopicShown },
})
