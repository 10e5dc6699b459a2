import { isTopicShown, itemsFromForum } from '../../syndication/forum-items.ts'
import { defineFeed } from '../define-feed.ts'

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
