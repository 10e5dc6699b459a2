import { oneLine } from '../../records/plain-text.ts'
import { itemsFromNews } from '../../syndication/news-items.ts'
import { defineFeed } from '../define-feed.ts'
import { frontPictures } from '../front-pictures.ts'

export const news = defineFeed({
  id: 'news',
  resource: 'news',
  title: 'News',
  summary: 'News stories, newest first.',
  boardRole: 'story',
  isPublicByDefault: true,
  items: {
    itemsFrom: itemsFromNews,
    frontPictures,
    isShown: ({ deployed }) => deployed,
    choice: {
      isFeatured: ({ featured }) => featured,
      categoryOf: ({ categoryId, category }) => ({ id: categoryId, name: oneLine(category) }),
    },
  },
})
