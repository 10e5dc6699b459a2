import type { FeedOption } from '../../options/option.ts'
import { wholeNumber } from '../../options/value-types.ts'
import { partOf } from '../../records/part.ts'
import { compareText } from '../../text/text.ts'
import type { RecordOf } from '../../records/read-records.ts'
import { draftFromAnnouncement } from '../../syndication/announcement-items.ts'
import {
  isCourseShown,
  draftFromPresentation,
  draftFromQuiz,
} from '../../syndication/training-items.ts'
import {
  isDocumentShown,
  draftFromDocument,
  draftFromMinutes,
} from '../../syndication/document-items.ts'
import { isTopicShown, draftFromTopic } from '../../syndication/forum-items.ts'
import {
  isGuestbookEntryShown,
  draftFromGuestbookEntry,
} from '../../syndication/guestbook-items.ts'
import { picturesOf } from '../../syndication/media.ts'
import { draftFromStory } from '../../syndication/news-items.ts'
import { defineFeed } from '../define-feed.ts'

/** Feeds that links and boards include only if they name them. */
const post = { boardRole: 'post', isNamedOnly: true } as const

export const news = defineFeed({
  id: 'news',
  resource: 'news',
  boardRole: 'story',
  isPublicByDefault: true,
  items: {
    draftsFrom: draftFromStory,
    isShown: ({ deployed }) => deployed,
    isFeatured: ({ featured }) => featured,
    categoryOf: (story) => partOf('news', story),
  },
})

export const announcements = defineFeed({
  id: 'announcements',
  resource: 'announce',
  boardRole: 'announcement',
  items: { draftsFrom: draftFromAnnouncement, isShown: ({ status }) => status === 'online' },
})

export const minutes = defineFeed({
  id: 'minutes',
  resource: 'minutes',
  ...post,
  items: {
    draftsFrom: draftFromMinutes,
    isShown: isDocumentShown,
    categoryOf: (record) => partOf('minutes', record),
  },
})

export const documents = defineFeed({
  id: 'documents',
  resource: 'documents',
  ...post,
  items: {
    draftsFrom: (document, source) => draftFromDocument(document, source),
    isShown: isDocumentShown,
    categoryOf: (document) => partOf('documents', document),
  },
})

export const guestbook = defineFeed({
  id: 'guestbook',
  resource: 'guestbook',
  ...post,
  items: { draftsFrom: draftFromGuestbookEntry, isShown: isGuestbookEntryShown },
})

const topicOption: FeedOption<number | undefined> = {
  name: 'topic',
  type: wholeNumber(1, 999_999_999),
  defaultValue: undefined,
}

export const forum = defineFeed({
  id: 'forum',
  resource: 'discuss',
  ...post,
  isLinkOnly: true,
  items: {
    draftsFrom: draftFromTopic,
    isShown: isTopicShown,
    moreOptions: { topicId: topicOption },
  },
})

export const presentations = defineFeed({
  id: 'presentations',
  resource: 'training/presentations',
  ...post,
  isLinkOnly: true,
  items: { draftsFrom: draftFromPresentation, isShown: isCourseShown },
})

export const quizzes = defineFeed({
  id: 'quizzes',
  resource: 'training/quizzes',
  ...post,
  isLinkOnly: true,
  items: { draftsFrom: draftFromQuiz, isShown: isCourseShown },
})

/** Returns the pictures that boards may show, one for each deployed story that has any. */
export function frontPictures(stories: readonly RecordOf['news'][], siteUrl: string) {
  return stories
    .filter((story) => story.deployed)
    .flatMap((story) => {
      const [picture] = picturesOf(story, siteUrl)
      if (!picture) return []
      const { url, width = null, height = null } = picture
      return [{ pictureUrl: url, pictureWidth: width, pictureHeight: height }]
    })
}

/** Returns the URLs of the latest front pictures, if the URLs do not reveal the type. */
export function untypedFrontPictures(
  stories: readonly RecordOf['news'][],
  siteUrl: string,
): readonly string[] {
  return stories
    .filter((story) => story.deployed)
    .toSorted((a, b) => compareText(b.date, a.date))
    .slice(0, maxTyped)
    .flatMap((story) => picturesOf(story, siteUrl).slice(0, 1))
    .flatMap(({ url, type }) => (type === undefined ? [url] : []))
}

const maxTyped = 50
