import { itemsFromAnnouncements } from '../../syndication/announcement-items.ts'
import { defineFeed } from '../define-feed.ts'

export const announcements = defineFeed({
  id: 'announcements',
  resource: 'announce',
  title: 'Announcements',
  summary: 'Announcements of the website, each until it expires.',
  boardRole: 'announcement',
  items: { itemsFrom: itemsFromAnnouncements },
})
