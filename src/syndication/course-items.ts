import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import {
  asSentence,
  itemDraft,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
  instantOrFirstSeen,
} from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'

type Presentation = RecordOf['training/presentations']
type Quiz = RecordOf['training/quizzes']

/** Returns true for Online presentations and quizzes, which are never public. */
export function isCourseShown({ status }: Presentation, profile: Profile): boolean {
  return profile !== 'public' && status === 'online'
}

/** Converts training presentations to items. */
export function itemsFromPresentations(
  presentations: readonly Presentation[],
  source: ItemSource,
): readonly ItemDraft[] {
  return presentations.map((each) =>
    draftFrom(each, { idPrefix: 'presentations', facts: hoursInWords(each) }, source),
  )
}

/** Converts quizzes to items, with what it takes to pass them. */
export function itemsFromQuizzes(
  quizzes: readonly Quiz[],
  source: ItemSource,
): readonly ItemDraft[] {
  return quizzes.map((quiz) => {
    const facts = [...hoursInWords(quiz), ...gradingInWords(quiz)]
    return draftFrom(quiz, { idPrefix: 'quizzes', facts }, source)
  })
}

type About = {
  readonly idPrefix: string
  /** Plain text. */
  readonly facts: readonly string[]
}

function draftFrom(
  course: Presentation,
  { idPrefix, facts }: About,
  source: ItemSource,
): ItemDraft {
  const { id, title, created } = course
  return itemDraft(
    {
      idPrefix,
      recordId: id,
      publishedAt: instantOrFirstSeen(created, id, source),
      title: () => titleOf(title),
      contents: (shownTitle) => contentsOf(course, { title: shownTitle, facts, source }),
    },
    source,
  )
}

function contentsOf(
  { id, description }: Presentation,
  {
    title,
    facts,
    source: { siteUrl, websiteUrlOf },
  }: Pick<About, 'facts'> & { readonly title: string; readonly source: ItemSource },
): ItemContents {
  const link = `<a href="${escapeHtml(websiteUrlOf(id))}" rel="noopener noreferrer nofollow">website</a>`
  const content = [
    cleanHtml(description, siteUrl),
    ...facts.map((fact) => `<p>${escapeHtml(fact)}</p>`),
    `<p>Open “${escapeHtml(title)}” on the ${link}.</p>`,
  ]
  const sentences = [summaryOf(description), ...facts].filter((text) => text !== '').map(asSentence)
  return {
    summary: summaryOf(escapeHtml(sentences.join(' '))),
    contentHtml: content.filter((part) => part !== '').join('\n'),
  }
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
