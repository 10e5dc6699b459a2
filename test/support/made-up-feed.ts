import type { EntryRecipe } from '../../src/calendar/entry-recipe.ts'
import { defineFeed } from '../../src/feeds/define-feed.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { FeedOption } from '../../src/options/feed-option.ts'
import { flag, oneOf } from '../../src/options/value-types.ts'
import { instantFromSiteTime } from '../../src/records/site-time.ts'
import { itemDraft } from '../../src/syndication/feed-item.ts'
import { escapeHtml } from '../../src/syndication/html.ts'

/* A feed is one definition, an option one value: these exist only here. */

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

/** An option of calendars that selects no records. */
const quiet: FeedOption<boolean> = {
  name: 'quiet',
  type: flag,
  defaultValue: false,
  selectsRecords: false,
  fields: [
    {
      label: 'Sound',
      choices: [
        ['', 'on'],
        ['1', 'off'],
      ],
    },
  ],
  example: 'quiet=1',
  meaning: 'without sound',
}

/** An option of calendars and news that selects records. */
const mood: FeedOption<'any' | 'good'> = {
  name: 'mood',
  type: oneOf(['any', 'good']),
  defaultValue: 'any',
  selectsRecords: true,
  fields: [
    {
      label: 'Mood',
      choices: [
        ['', 'any'],
        ['good', 'good ones'],
      ],
    },
  ],
  example: 'mood=good',
  meaning: 'only visits in a good mood',
}

/** A feed of the guestbook, which no real feed is made from. */
export const visits: Feed = defineFeed({
  id: 'visits',
  resource: 'guestbook',
  title: 'Visits',
  summary: 'Who came to see us.',
  boardRole: 'agenda',
  calendar: { recipe: visitRecipe, moreOptions: { mood, quiet } },
  items: {
    moreOptions: { mood },
    itemsFrom: (entries, source) =>
      entries.map(({ id, name, text, created }) =>
        itemDraft(
          {
            idPrefix: 'visits',
            recordId: id,
            publishedAt: instantFromSiteTime(created, source.timeZone),
            contents: () => ({
              title: `${name} was here`,
              summary: text,
              contentHtml: `<p>${escapeHtml(text)}</p>`,
            }),
          },
          source,
        ),
      ),
  },
})

/** A visit as the website lists it. */
export const plannedVisit = {
  id: 7,
  status: 2,
  name: 'Robin',
  text: 'A fine station.',
  email: 'robin@example.org',
  created: '2030-01-05 18:00:00',
}
