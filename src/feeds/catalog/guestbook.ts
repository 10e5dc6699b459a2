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
