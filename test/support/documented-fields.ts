import type { Feed } from '../../src/feeds/feed.ts'
import type { Profile } from '../../src/records/profile.ts'
import { documentOf, tableAfter, type Row } from './documentation.ts'

/* The tables of docs/feeds.md that say where each field of a record appears. */

export const profiles: readonly Profile[] = ['public', 'members', 'full']

const headings: Readonly<Record<string, string>> = {
  calendar: "### Members' calendars",
  events: '### Public events',
  rental: '### Rentals',
  signup: '### Sign-up sheets',
  news: '### News',
  announcements: '### Announcements',
  minutes: '### Minutes',
  documents: '### Documents',
  guestbook: '### Guestbook',
  forum: '### Forum',
  training: '### Certifications',
  presentations: '### Training presentations',
  quizzes: '### Training quizzes',
  members: '### Members',
}

export const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Returns the table of a feed's fields. */
export function fieldsTableOf({ id }: Pick<Feed, 'id'>): readonly Row[] {
  return tableAfter(headings[id] ?? '', documentOf('docs/feeds.md'))
}

/** Returns the profiles that see the fields of a row. */
export function seenBy(row: Row): readonly string[] {
  return row['seen by'] === undefined ? profiles : namesIn(row['seen by'])
}
