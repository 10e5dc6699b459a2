import { oneLine } from '../../records/plain-text.ts'
import { isDocumentShown, itemsFromDocuments } from '../../syndication/document-items.ts'
import { defineFeed } from '../define-feed.ts'

export const documents = defineFeed({
  id: 'documents',
  resource: 'documents',
  title: 'Documents',
  summary: 'Documents on the website, newest first.',
  boardRole: 'post',
  isNamedOnly: true,
  items: {
    itemsFrom: itemsFromDocuments,
    isShown: isDocumentShown,
    choice: {
      categoryOf: ({ categoryId, category }) => ({ id: categoryId, name: oneLine(category) }),
    },
  },
})
