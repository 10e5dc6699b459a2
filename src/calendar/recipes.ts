import { calendarRecipe } from './calendar-recipe.ts'
import type { CalendarResource, EntryRecipe } from './entry-recipe.ts'
import { eventsRecipe } from './events-recipe.ts'
import { rentalRecipe } from './rental-recipe.ts'
import { signUpRecipe } from './sign-up-recipe.ts'

const recipes: { readonly [R in CalendarResource]: EntryRecipe<R> } = {
  calendar: calendarRecipe,
  events: eventsRecipe,
  rental: rentalRecipe,
  signup: signUpRecipe,
}

export function recipeOf<R extends CalendarResource>(resource: R): EntryRecipe<R> {
  return recipes[resource]
}
