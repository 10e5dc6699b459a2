import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import {
  isCourseShown,
  draftsFromCertification,
  draftFromPresentation,
  draftFromQuiz,
} from '../../src/syndication/training-items.ts'
import { itemsWith } from './item-source.ts'

const certification = {
  id: 12,
  status: 3,
  memberId: 5,
  member: 'Jordan Reyes',
  certId: 3,
  certName: 'EMT &amp; Basic',
  issued: '2023-01-10',
  expires: '2026-01-10',
  certNumber: 'EM-4012',
  created: '2023-01-10 12:00:00',
}

/** Returns the item for the time after a certification has expired. */
const expiryOf = (change: object = {}) =>
  itemsWith('training/membercerts', certification, (record, source) => {
    const [, expired] = draftsFromCertification(record, source, 90)
    if (!expired) throw new TypeError('no item')
    return expired
  })([change], { profile: 'full' })[0]

test('says whose certification expired, and when', () => {
  expect(expiryOf()).toMatchObject({
    id: 'tag:cedarhollow.example,2026:training-2026-01-10-12',
    title: 'Jordan Reyes: EMT & Basic expired on Jan 10, 2026',
    contentHtml: [
      '<p>Jordan Reyes: EMT &amp; Basic expired on Saturday, January 10, 2026.</p>',
      '<p>Status on the website: Expired.</p>',
      '<p>Issued on Tuesday, January 10, 2023.</p>',
      '<p>Certificate number: EM-4012.</p>',
    ].join('\n'),
    category: 'EMT & Basic',
    publishedAt: Date.parse('2025-10-12T04:00:00Z'),
  })
})

test('omits unknown properties of a certification', () => {
  const unknown = { status: 1, member: '', certName: '', issued: '', certNumber: '' }
  expect(expiryOf(unknown)).toMatchObject({
    title: 'A certification expired on Jan 10, 2026',
    summary:
      'A certification expired on Saturday, January 10, 2026. Status on the website: Active.',
  })
})

test('shows a certification when the website gets it, if that is later', () => {
  expect(expiryOf({ created: '2026-01-02 12:00:00' })?.publishedAt).toBe(
    Date.parse('2026-01-02T17:00:00Z'),
  )
})

const course = {
  id: 3,
  title: 'Foam &amp; water',
  description: 'Eductors <b>and</b> rates<script>x()</script>',
  status: 1,
  hours: 1.5,
  created: '2026-03-01 09:00:00',
}
const quiz = { ...course, description: '', hours: 0.25, graded: 1, passScore: 80, maxAttempts: 3 }

const presentationOf = itemsWith('training/presentations', course, draftFromPresentation)
const quizOf = itemsWith('training/quizzes', quiz, draftFromQuiz)

test('describes a presentation and links to the website', () => {
  expect(presentationOf([{}])[0]).toMatchObject({
    id: 'tag:cedarhollow.example,2026:presentations-3',
    title: 'Foam & water',
    summary: 'Eductors and rates. 1.5 hours of training.',
    contentHtml: [
      'Eductors <b>and</b> rates',
      '<p>1.5 hours of training.</p>',
      '<p>Open “Foam &amp; water” on the <a href="https://cedarhollow.example/items?page=1&amp;id=3" rel="noopener noreferrer nofollow">website</a>.</p>',
    ].join('\n'),
    publishedAt: Date.parse('2026-03-01T14:00:00Z'),
  })
})

test.for([
  [{}, '0.25 hours of training. Graded: 80% to pass. At most 3 attempts.'],
  [{ hours: 1, maxAttempts: 1 }, '1 hour of training. Graded: 80% to pass. At most one attempt.'],
  [{ hours: 0, passScore: 0, maxAttempts: 0 }, 'Graded. Any number of attempts.'],
  [{ hours: '', graded: 0, maxAttempts: '' }, 'Not graded. Any number of attempts.'],
] as const)('says what it takes to pass a quiz with %j', ([change, summary]) => {
  expect(quizOf([change])[0]?.summary).toBe(summary)
})

test('shows only Online courses, and none to the public', () => {
  const { records } = readRecords('training/presentations', [
    course,
    { ...course, id: 4, status: 0 },
  ])
  const shownTo = (profile: 'public' | 'members') =>
    records.filter((record) => isCourseShown(record, profile)).map(({ id }) => id)
  expect(shownTo('members')).toEqual([3])
  expect(shownTo('public')).toEqual([])
})
