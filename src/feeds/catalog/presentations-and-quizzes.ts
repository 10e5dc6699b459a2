import {
  isCourseShown,
  itemsFromPresentations,
  itemsFromQuizzes,
} from '../../syndication/training-items.ts'
import { defineFeed } from '../define-feed.ts'

export const presentations = defineFeed({
  id: 'presentations',
  resource: 'training/presentations',
  title: 'Training presentations',
  summary: 'Presentations in the Training Center, newest first.',
  boardRole: 'post',
  isNamedOnly: true,
  isLinkOnly: true,
  items: { itemsFrom: itemsFromPresentations, isShown: isCourseShown },
})

export const quizzes = defineFeed({
  id: 'quizzes',
  resource: 'training/quizzes',
  title: 'Training quizzes',
  summary: 'Quizzes in the Training Center, newest first.',
  boardRole: 'post',
  isNamedOnly: true,
  isLinkOnly: true,
  items: { itemsFrom: itemsFromQuizzes, isShown: isCourseShown },
})
