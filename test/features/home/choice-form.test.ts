import { expect, test } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import type { Feed } from '../../../src/feeds/feed.ts'
import { choiceForm, readChoiceForm } from '../../../src/features/home/choice-form.ts'
import type { LinkChoice } from '../../../src/links/feed-link.ts'

const partsByFeed: Readonly<
  Record<string, readonly { name: string; option: string; id: number }[]>
> = {
  calendar: [
    { name: 'Drills', option: 'calendar', id: 3 },
    { name: 'Meetings', option: 'calendar', id: 4 },
  ],
  news: [{ name: 'Incidents', option: 'category', id: 7 }],
}

const partsOf = ({ id }: Feed) => partsByFeed[id] ?? []
const none = { calendar: '', news: '' }

const { feedsOf, myFeeds } = standardCatalog
const feeds = feedsOf({ feedIds: undefined })

const formFor = (choice: Partial<LinkChoice>, readable = feeds) =>
  choiceForm({ feed: myFeeds, readable, language: 'en-US' }, partsOf, { ...none, ...choice })

/** Returns the fields that a browser would submit for the form. */
function submitted(choice: Partial<LinkChoice>): URLSearchParams {
  const sent = new URLSearchParams()
  for (const { kind, feeds: shown, textFields, selects } of formFor(choice)) {
    for (const { id, isChosen, parts, reminder } of shown) {
      if (isChosen) sent.append(`${kind}.feed`, id)
      for (const part of parts) if (part.isChosen) sent.append(`${kind}.part`, part.value)
      for (const { name, choices } of reminder ? [reminder] : []) {
        sent.append(`${kind}.${name}`, choices.find(({ isChosen }) => isChosen)?.value ?? '')
      }
    }
    for (const { name, value } of textFields) sent.append(`${kind}.${name}`, value)
    for (const { name, choices } of selects) {
      sent.append(`${kind}.${name}`, choices.find(({ isChosen }) => isChosen)?.value ?? '')
    }
  }
  return sent
}

const read = (sent: URLSearchParams, readable = feeds) =>
  readChoiceForm({ feed: myFeeds, readable, language: 'en-US' }, sent)

test.for<Partial<LinkChoice>>([
  {},
  { calendar: 'show=calendar,signup' },
  { calendar: 'show=calendar:3.4,events&alarm=60' },
  { calendar: 'alarm=15,1440,calendar:30,rental:none&dedupe=0&prefix=emoji' },
  { calendar: 'past=30&future=90&cancelled=mark&busy=0&color=b22222' },
  { news: 'show=news:7&content=summary' },
  { calendar: 'show=events', news: 'show=events,announcements' },
  { calendar: 'q=%22fish%20fry%22%20-online&place=hall', news: 'q=grant' },
  // A calendar that currently has no entries, and values that the form does not list.
  { calendar: 'show=calendar:9&alarm=17,calendar:18&past=5' },
])('submitting the form unchanged keeps %o', (choice) => {
  expect(read(submitted(choice))).toEqual({ ok: true, choice: { ...none, ...choice } })
})

test('shows all feeds as chosen until a choice is saved', () => {
  const [calendar, news] = formFor({})
  const chosen = calendar?.feeds.flatMap(({ id, isChosen }) => (isChosen ? [id] : []))
  expect(chosen).toEqual(['calendar', 'events', 'rental', 'signup'])
  expect(news?.feeds.map(({ id }) => id)).toEqual(['events', 'news', 'announcements'])
})

test('has no group for which the link has no feeds', () => {
  const rentals = feeds.filter(({ id }) => id === 'rental')
  expect(formFor({}, rentals).map(({ kind }) => kind)).toEqual(['calendar'])
  const sent = new URLSearchParams([['calendar.feed', 'rental']])
  expect(read(sent, rentals)).toEqual({ ok: true, choice: none })
})

test('saves all feeds as the default, so that it includes feeds that the link gets later', () => {
  const sent = submitted({ calendar: 'show=calendar' })
  for (const id of ['events', 'rental', 'signup']) sent.append('calendar.feed', id)
  expect(read(sent)).toEqual({ ok: true, choice: none })
})

test('ignores parts of feeds that are not chosen, and feeds that the link does not include', () => {
  const sent = new URLSearchParams([
    ['calendar.feed', 'events'],
    ['calendar.part', 'calendar:3'],
    ['calendar.feed', 'parade'],
    ['news.feed', 'news'],
  ])
  expect(read(sent)).toEqual({ ok: true, choice: { calendar: 'show=events', news: 'show=news' } })
})

test.for([
  ['no calendars', 'calendar.feed', undefined, 'Choose at least one calendar.'],
  ['no news', 'news.feed', undefined, 'Choose at least one kind of news.'],
  ['no number of days', 'calendar.past', 'x', 'past must be a whole number from 0 to 3650.'],
  ['too many words', 'calendar.q', 'a b c d e f g h i', expect.stringMatching(/^Enter at most 8/)],
  ['no color', 'calendar.color', 'plaid', expect.stringMatching(/^color must be a CSS color/)],
] as const)('explains what is wrong with %s and keeps the rest', ([, name, value, fault]) => {
  const sent = submitted({ calendar: 'show=calendar&alarm=60', news: 'show=news' })
  sent.delete(name)
  if (value !== undefined) sent.set(name, value)
  const reading = read(sent)
  expect(reading).toMatchObject({ ok: false, faults: [fault] })
  expect(new URLSearchParams(reading.choice.calendar).get('alarm')).toBe('60')
})
