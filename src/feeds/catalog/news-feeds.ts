import type { FeedOption } from '../../options/option.ts'
import { wholeNumber } from '../../options/value-types.ts'
import { oneLine } from '../../records/plain-text.ts'
import type { RecordOf } from '../../records/read-records.ts'
import { itemsFromAnnouncements } from '../../syndication/announcement-items.ts'
import {
  isCourseShown,
  itemsFromPresentations,
  itemsFromQuizzes,
} from '../../syndication/training-items.ts'
import {
  isDocumentShown,
  itemsFromDocuments,
  itemsFromMinutes,
} from '../../syndication/document-items.ts'
import { isTopicShown, itemsFromForum } from '../../syndication/forum-items.ts'
import { isGuestbookEntryShown, itemsFromGuestbook } from '../../syndication/guestbook-items.ts'
import { picturesOf } from '../../syndication/media.ts'
import { itemsFromNews } from '../../syndication/news-items.ts'
import { defineFeed } from '../define-feed.ts'
import type { FrontPicture } from '../feed.ts'

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
    choice: { isFeatured: ({ featured }) => featured, categoryOf },
  },
})

export const announcements = defineFeed({
  id: 'announcements',
  resource: 'announce',
  title: 'Announcements',
  summary: 'Current announcements from the website.',
  boardRole: 'announcement',
  items: { itemsFrom: itemsFromAnnouncements },
})

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
    choice: { categoryOf },
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
    choice: { categoryOf },
  },
})

export const guestbook = defineFeed({
  id: 'guestbook',
  resource: 'guestbook',
  title: 'Guestbook',
  summary: 'Entries in the guestbook, newest first.',
  boardRole: 'post',
  isNamedOnly: true,
  items: { itemsFrom: itemsFromGuestbook, isShown: isGuestbookEntryShown },
})

const topicOption: FeedOption<number | undefined> = {
  name: 'topic',
  type: wholeNumber(1, 999_999_999),
  defaultValue: undefined,
  example: 'topic=12',
  meaning: '[the replies to this topic](#forum) instead of the topics',
}

export const forum = defineFeed({
  id: 'forum',
  resource: 'discuss',
  title: 'Forum',
  summary: 'Topics in the forum, the latest post first.',
  boardRole: 'post',
  isNamedOnly: true,
  isLinkOnly: true,
  items: {
    itemsFrom: itemsFromForum,
    isShown: isTopicShown,
    moreOptions: { topicId: topicOption },
  },
})

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

function categoryOf({ categoryId: id, category }: RecordOf['news' | 'minutes' | 'documents']) {
  return { id, name: oneLine(category) }
}

/** Returns the first picture of each deployed story. */
function frontPictures(
  stories: readonly RecordOf['news'][],
  siteUrl: string,
): readonly FrontPicture[] {
  return stories
    .filter((story) => story.deployed)
    .flatMap((story) => {
      const [picture] = picturesOf(story, siteUrl)
      if (!picture) return []
      const { url, width = null, height = null } = picture
      return [{ pictureUrl: url, pictureWidth: width, pictureHeight: height }]
    })
}
