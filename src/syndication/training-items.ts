import { longDayInWords, shortDayInWords } from '../records/date-words.ts'
import { oneLine } from '../text/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { daysAfter, instantFromSiteTime } from '../records/site-time.ts'
import { recordMessages } from '../records/record-messages.ts'
import { certificationName } from '../records/training-record.ts'
import {
  appearanceOf,
  itemDraft,
  summaryOf,
  summaryOfTexts,
  titleOf,
  type ItemSource,
} from './feed-item.ts'
import { cleanHtml, escapeHtml, linkHtml, paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'
import type { ItemMessages } from './messages/en.ts'

type Certification = RecordOf['training/membercerts']
type Presentation = RecordOf['training/presentations']
type Quiz = RecordOf['training/quizzes']
type CourseMessages = ItemMessages['course']

/**
 * Converts a certification with an expiration date to items. An item appears `withinDays` before
 * that date, and another one with the same id replaces it after that date. A renewed certification
 * has a new id, so that feed readers show it again.
 */
export function draftsFromCertification(
  certification: Certification,
  source: ItemSource,
  withinDays: number,
) {
  const { id, expires = '', created } = certification
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, source.timeZone)
  const nearAt = instantOf(`${daysAfter(expires, -withinDays)}T00:00:00`)
  const expiredAt = instantOf(`${daysAfter(expires, 1)}T00:00:00`)
  const name = nameOf(certification, source)
  const messages = itemMessages(source.language).certification
  const recipeFor = (sentence: typeof messages.expires) => ({
    idPrefix: `training-${expires}`,
    publishedAt:
      created === undefined ? nearAt : Math.max(nearAt, appearanceOf(created, id, source)),
    title: () => sentence(name, shortDayInWords(expires, undefined, source.language)),
    contents: () => {
      const expiry = sentence(name, longDayInWords(expires, undefined, source.language))
      const sentences = [`${expiry}.`, ...sentencesFrom(certification, source)]
      return {
        summary: () => sentences.join(' '),
        html: sentences.map(paragraphsFrom),
        category: certificationName(certification, source.language),
      }
    },
  })
  return [
    itemDraft(certification, source, { ...recipeFor(messages.expires), expiresAt: expiredAt }),
    itemDraft(certification, source, { ...recipeFor(messages.expired), replacesAt: expiredAt }),
  ]
}

function sentencesFrom(
  certification: Certification,
  { profile, language }: ItemSource,
): readonly string[] {
  const { state, issued, certNumber } = certification
  const { labeled, certification: messages } = itemMessages(language)
  const texts = recordMessages(language).certification
  const status = `${labeled(texts.status, texts.states[state])}.`
  if (profile !== 'full') return [status]
  return [
    status,
    issued === undefined ? '' : messages.issued(longDayInWords(issued, undefined, language)),
    oneLine(certNumber) === '' ? '' : messages.number(oneLine(certNumber)),
  ].filter((sentence) => sentence !== '')
}

function nameOf(certification: Certification, { profile, language }: ItemSource): string {
  const member = profile === 'full' ? oneLine(certification.member) : ''
  const name = certificationName(certification, language)
  return member === '' ? name : itemMessages(language).labeled(member, name)
}

/** Returns true for Online presentations and quizzes, which are never public. */
export function isCourseShown({ status }: Presentation, profile: Profile): boolean {
  return profile !== 'public' && status === 'online'
}

export function draftFromPresentation(presentation: Presentation, source: ItemSource) {
  return courseDraft(presentation, source, 'presentations', (messages) =>
    hoursInWords(presentation, messages),
  )
}

/** Converts a quiz to an item that shows the passing requirements. */
export function draftFromQuiz(quiz: Quiz, source: ItemSource) {
  return courseDraft(quiz, source, 'quizzes', (messages) => [
    ...hoursInWords(quiz, messages),
    ...gradingInWords(quiz, messages),
  ])
}

function courseDraft(
  course: Presentation,
  source: ItemSource,
  idPrefix: string,
  factsIn: (messages: CourseMessages) => readonly string[],
) {
  const { id, description } = course
  const link = (text: string) => linkHtml(source.websiteUrlOf(id), text)
  const messages = itemMessages(source.language).course
  const facts = factsIn(messages)
  return itemDraft(course, source, {
    idPrefix,
    title: () => titleOf(course.title, source),
    contents: (title) => ({
      summary: () => summaryOfTexts([summaryOf(description), ...facts]),
      html: [
        cleanHtml(description, source.siteUrl),
        ...facts.map(paragraphsFrom),
        `<p>${messages.open(escapeHtml(title), link)}</p>`,
      ],
    }),
  })
}

function hoursInWords(
  { hours = 0 }: Presentation,
  { hours: inWords }: CourseMessages,
): readonly string[] {
  return hours <= 0 ? [] : [inWords(hours)]
}

function gradingInWords(
  { graded, passScore = 0, maxAttempts = 0 }: Quiz,
  messages: CourseMessages,
): readonly string[] {
  const withScore = passScore > 0 ? messages.passScore(passScore) : messages.graded
  return [
    graded ? withScore : messages.notGraded,
    maxAttempts > 0 ? messages.attempts(maxAttempts) : messages.anyAttempts,
  ]
}
