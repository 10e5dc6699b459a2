import { eventsRecipe } from '../../calendar/events-recipe.ts'
import { itemsFromEvents } from '../../syndication/event-items.ts'
import { defineFeed } from '../define-feed.ts'
import { eventTime } from '../event-time.ts'

export const events = defineFeed({
  id: 'events',
  resource: 'events',
  title: 'Events',
  summary: 'What is on for the public, as the website announces it.',
  boardRole: 'agenda',
  isPublicByDefault: true,
  marker: { prefix: 'Event:', emoji: '🎉', color: 'seagreen', label: 'Public events' },
  calendar: { recipe: eventsRecipe },
  items: {
    itemsFrom: (records, source) =>
      itemsFromEvents(records, source, (event) => eventTime(event, source.timeZone)),
  },
})
