import { signUpRecipe } from '../../calendar/sign-up-recipe.ts'
import { placesOf } from '../../records/sign-up-sheet.ts'
import { defineFeed } from '../define-feed.ts'

export const signup = defineFeed({
  id: 'signup',
  resource: 'signup',
  title: 'Sign-ups',
  summary: 'What people can sign up for, and how many places are open.',
  boardRole: 'volunteers',
  marker: { prefix: 'Sign-up:', emoji: '✋', color: 'mediumpurple', label: 'Open sign-ups' },
  calendar: { recipe: signUpRecipe, placesOf },
})
