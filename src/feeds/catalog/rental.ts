import { partOption } from '../../calendar/calendar-options.ts'
import { rentalRecipe } from '../../calendar/rental-recipe.ts'
import { defineFeed } from '../define-feed.ts'

export const rental = defineFeed({
  id: 'rental',
  resource: 'rental',
  title: 'Rentals',
  summary: 'When halls and rooms are taken.',
  boardRole: 'bookings',
  marker: { prefix: 'Rental:', emoji: '🔑', color: 'chocolate' },
  calendar: {
    recipe: rentalRecipe,
    partOption: partOption('type', {
      example: 'type=1,2',
      meaning: 'only bookings of these rental types',
    }),
  },
})
