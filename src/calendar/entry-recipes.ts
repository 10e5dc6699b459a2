import type { CalendarResource, EntryRecipe } from './entry-recipe.ts'
import { calendarRecipe, eventsRecipe } from './event-recipes.ts'
import { rentalRecipe } from './rental-recipe.ts'
import { signUpRecipe } from './sign-up-recipe.ts'

export const entryRecipes: { readonly [R in CalendarResource]: EntryRecipe<R> } = {
  calendar: calendarRecipe,
  events: eventsRecipe,
  rental: rentalRecipe,
  signup: signUpRecipe,
}
