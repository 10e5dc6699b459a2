import { oneLine } from '../../records/plain-text.ts'
import type { RecordOf } from '../../records/read-records.ts'
import {
  isDocumentShown,
  itemsFromDocuments,
  itemsFromMinutes,
} from '../../syndication/document-items.ts'
import { defineFeed } from '../define-feed.ts'

const choice = {
  categoryOf: ({ categoryId, category }: RecordOf['minutes' | 'documents']) => ({
    id: categoryId,
    name: oneLine(category),
  }),
}

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
    choice,
  },
})

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
    choice,
  },
})
