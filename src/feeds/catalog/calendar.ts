import { partOption } from '../../calendar/calendar-options.ts'
import { calendarRecipe } from '../../calendar/events-recipe.ts'
import { defineFeed } from '../define-feed.ts'

export const calendar = defineFeed({
  id: 'calendar',
  resource: 'calendar',
  title: 'Calendar',
  summary: 'Drills, meetings and duty of the members.',
  boardRole: 'agenda',
  repeats: 'events',
  marker: { prefix: 'Members:', emoji: '📅', color: 'royalblue' },
  calendar: {
    recipe: calendarRecipe,
    partOption: partOption('calendar', {
      example: 'calendar=3,4',
      meaning: 'only entries in these calendars',
    }),
  },
})
