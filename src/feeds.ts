import { calendarFeed } from './feeds/calendar-feed.ts'
import type { Feed } from './feeds/feed.ts'
import { newsFeed } from './feeds/news-feed.ts'
import { itemsFromAnnouncements } from './syndication/announcement-items.ts'
import { itemsFromNews } from './syndication/news-items.ts'

const calendar = calendarFeed('calendar', {
  title: 'Calendar',
  summary: 'Drills, meetings and duty of the members.',
  partParameter: 'calendar',
})

const events = calendarFeed('events', {
  title: 'Events',
  summary: 'What is on for the public, as the website announces it.',
})

const rental = calendarFeed('rental', {
  title: 'Rentals',
  summary: 'When halls and rooms are taken.',
  partParameter: 'type',
})

const signup = calendarFeed('signup', {
  title: 'Sign-ups',
  summary: 'What people can sign up for, and how many places are open.',
})

const news = newsFeed('news', {
  id: 'news',
  title: 'News',
  summary: 'News stories, newest first.',
  itemsFrom: itemsFromNews,
  categoryOf: ({ categoryId, category }) => ({ id: categoryId, name: category }),
  isFeatured: ({ featured }) => featured,
  isOut: ({ deployed }) => deployed,
})

const announcements = newsFeed('announce', {
  id: 'announcements',
  title: 'Announcements',
  summary: 'Announcements of the website, each until it expires.',
  itemsFrom: itemsFromAnnouncements,
})

export const feeds: readonly Feed[] = [calendar, events, rental, signup, news, announcements]

export const feedIds: readonly string[] = feeds.map((feed) => feed.id)
