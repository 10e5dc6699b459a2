import { oneLine } from '../../records/plain-text.ts'
import { isDocumentShown, itemsFromMinutes } from '../../syndication/document-items.ts'
import { defineFeed } from '../define-feed.ts'

export const minutes = defineFeed({
  id: 'minutes',
  resource: 'minutes',
  title: 'Minutes',
  summary: 'Minutes of meetings, newest first.',
  boardRole: 'post',
  isNamedOnly: true,
  items: {
    itemsFrom: itemsFromMinutes,
    isShown: isDocumentShown,
    choice: {
      categoryOf: ({ categoryId, category }) => ({ id: categoryId, name: oneLine(category) }),
    },
  },
})
