import { longDayInWords, shortDayInWords } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { daysAfter, instantFromSiteTime } from '../records/site-time.ts'
import { certificationName, certificationStates, statusLabel } from '../records/training-record.ts'
import { itemDraft, summaryOf, summaryOfTexts, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, linkHtml, paragraphsFrom } from './html.ts'

type Certification = RecordOf['training/membercerts']
type Presentation = RecordOf['training/presentations']
type Quiz = RecordOf['training/quizzes']

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
  const { expires = '', created } = certification
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, source.timeZone)
  const nearAt = instantOf(`${daysAfter(expires, -withinDays)}T00:00:00`)
  const expiredAt = instantOf(`${daysAfter(expires, 1)}T00:00:00`)
  const name = nameOf(certification, source)
  const recipeFor = (verb: string) => ({
    idPrefix: `training-${expires}`,
    publishedAt: created === undefined ? nearAt : Math.max(nearAt, instantOf(created)),
    title: () => `${name} ${verb} ${shortDayInWords(expires, undefined, source.language)}`,
    contents: () => {
      const expiry = `${name} ${verb} ${longDayInWords(expires, undefined, source.language)}.`
      const sentences = [expiry, ...sentencesFrom(certification, source)]
      return {
        summary: sentences.join(' '),
        html: sentences.map(paragraphsFrom),
        category: certificationName(certification),
      }
    },
  })
  return [
    itemDraft(certification, source, { ...recipeFor('expires on'), expiresAt: expiredAt }),
    itemDraft(certification, source, { ...recipeFor('expired on'), replacesAt: expiredAt }),
  ]
}

function sentencesFrom(
  certification: Certification,
  { profile, language }: ItemSource,
): readonly string[] {
  const { state, issued, certNumber } = certification
  const status = `${statusLabel}: ${certificationStates[state]}.`
  if (profile !== 'full') return [status]
  return [
    status,
    issued === undefined ? '' : `Issued on ${longDayInWords(issued, undefined, language)}.`,
    oneLine(certNumber) === '' ? '' : `Certificate number: ${oneLine(certNumber)}.`,
  ].filter((sentence) => sentence !== '')
}

/** Returns the name of the certification, with its member for the profile `full`. */
function nameOf(certification: Certification, { profile }: ItemSource): string {
  const member = profile === 'full' ? oneLine(certification.member) : ''
  const name = certificationName(certification)
  return member === '' ? name : `${member}: ${name}`
}

/** Returns true for Online presentations and quizzes, which are never public. */
export function isCourseShown({ status }: Presentation, profile: Profile): boolean {
  return profile !== 'public' && status === 'online'
}

export function draftFromPresentation(presentation: Presentation, source: ItemSource) {
  return courseDraft(presentation, source, 'presentations', hoursInWords(presentation))
}

/** Converts a quiz to an item that shows the passing requirements. */
export function draftFromQuiz(quiz: Quiz, source: ItemSource) {
  return courseDraft(quiz, source, 'quizzes', [...hoursInWords(quiz), ...gradingInWords(quiz)])
}

function courseDraft(
  course: Presentation,
  source: ItemSource,
  idPrefix: string,
  facts: readonly string[],
) {
  const { id, description } = course
  const link = linkHtml(source.websiteUrlOf(id), 'website')
  return itemDraft(course, source, {
    idPrefix,
    title: () => titleOf(course.title),
    contents: (title) => ({
      summary: summaryOfTexts([summaryOf(description), ...facts]),
      html: [
        cleanHtml(description, source.siteUrl),
        ...facts.map(paragraphsFrom),
        `<p>Open “${escapeHtml(title)}” on the ${link}.</p>`,
      ],
    }),
  })
}

function hoursInWords({ hours = 0 }: Presentation): readonly string[] {
  if (hours <= 0) return []
  return [hours === 1 ? '1 hour of training.' : `${hours} hours of training.`]
}

function gradingInWords({ graded, passScore = 0, maxAttempts = 0 }: Quiz): readonly string[] {
  const attempts = maxAttempts === 1 ? 'one attempt' : `${maxAttempts} attempts`
  return [
    graded && passScore > 0 ? `Graded: ${passScore}% to pass.` : graded ? 'Graded.' : 'Not graded.',
    maxAttempts > 0 ? `At most ${attempts}.` : 'Any number of attempts.',
  ]
}
