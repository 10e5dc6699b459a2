import { calendarOptions } from '../../src/calendar/calendar-options.ts'
import type { EntryRecipe } from '../../src/calendar/entry-recipe.ts'
import { defineFeed } from '../../src/feeds/define-feed.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { FeedOption } from '../../src/options/option.ts'
import { flag, oneOf } from '../../src/options/value-types.ts'
import { itemDraft } from '../../src/syndication/feed-item.ts'
import { escapeHtml } from '../../src/text/html.ts'

/*
 * A feed and options that exist only in tests. They prove that a single definition is enough to add
 * a feed or an option.
 */

const visitRecipe: EntryRecipe<'guestbook'> = {
  resource: 'guestbook',
  blocksTime: 'never',
  timeOf: ({ created }) => ({
    time: { allDay: false, start: created, end: undefined },
    repair: undefined,
  }),
  textFor: ({ name, text, email }, { profile }) => ({
    summary: `Visit of ${name}`,
    location: '',
    description: profile === 'full' ? `${text} ${email}` : text,
    categories: [],
  }),
}

/** Calendar option that does not select records. */
const quiet: FeedOption<boolean> = {
  name: 'quiet',
  type: flag,
  defaultValue: false,
  selectsRecords: false,
  fields: () => [
    {
      label: 'Sound',
      choices: [
        ['', 'on'],
        ['1', 'off'],
      ],
    },
  ],
}

/** Option for calendars and news that selects records. */
const mood: FeedOption<'any' | 'good'> = {
  name: 'mood',
  type: oneOf(['any', 'good']),
  defaultValue: 'any',
  selectsRecords: true,
  fields: () => [
    {
      label: 'Mood',
      choices: [
        ['', 'any'],
        ['good', 'good ones'],
      ],
    },
  ],
}

/** Another feed of entries in the guestbook. */
export const visits: Feed = defineFeed({
  id: 'visits',
  resource: 'guestbook',
  textIn: () => ({ title: 'Visits', summary: 'Who came to see us.' }),
  boardRole: 'agenda',
  calendar: { recipe: visitRecipe, options: { ...calendarOptions, mood, quiet } },
  items: {
    moreOptions: { mood },
    isShown: () => true,
    draftsFrom: (entry, source) =>
      itemDraft(entry, source, {
        idPrefix: 'visits',
        title: () => `${entry.name} was here`,
        contents: () => ({ summary: () => entry.text, html: [`<p>${escapeHtml(entry.text)}</p>`] }),
      }),
  },
})

/** Visit in the format that the website returns. */
export const plannedVisit = {
  id: 7,
  status: 2,
  name: 'Robin',
  text: 'A fine station.',
  email: 'robin@example.org',
  created: '2030-01-05 18:00:00',
}
