import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import {
  isCourseShown,
  itemsFromPresentations,
  itemsFromQuizzes,
} from '../../src/syndication/course-items.ts'

const seenAt = Date.parse('2026-03-05T14:00:00Z')

const source = {
  siteUrl: 'https://cedarhollow.example',
  idHost: 'cedarhollow.example',
  timeZone: 'America/New_York',
  profile: 'members',
  urlOf: String,
  websiteUrlOf: () => 'https://cedarhollow.example',
  knownOf: () => ({ hash: 'a', revision: 0, firstSeenAt: seenAt, changedAt: seenAt }),
} as const

const course = {
  id: 3,
  title: 'Foam &amp; water',
  description: 'Eductors <b>and</b> rates<script>x()</script>',
  status: 1,
  hours: 1.5,
  created: '2026-03-01 09:00:00',
}
const quiz = { ...course, hours: 0.25, graded: 1, passScore: 80, maxAttempts: 3 }

function presentationOf(change: object = {}) {
  const { records } = readRecords('training/presentations', [{ ...course, ...change }])
  return itemsFromPresentations(records, source)[0]?.make()
}

function quizSummaryOf(change: object) {
  const { records } = readRecords('training/quizzes', [{ ...quiz, description: '', ...change }])
  return itemsFromQuizzes(records, source)[0]?.make().summary
}

test('describes a presentation and links to the website', () => {
  expect(presentationOf()).toMatchObject({
    id: 'tag:cedarhollow.example,2026:presentations-3',
    title: 'Foam & water',
    summary: 'Eductors and rates. 1.5 hours of training.',
    contentHtml: [
      'Eductors <b>and</b> rates',
      '<p>1.5 hours of training.</p>',
      '<p>Open “Foam &amp; water” on the <a href="https://cedarhollow.example" rel="noopener noreferrer nofollow">website</a>.</p>',
    ].join('\n'),
    publishedAt: Date.parse('2026-03-01T14:00:00Z'),
  })
})

test('dates a presentation by when it was first seen if the website does not say', () => {
  expect(presentationOf({ created: '' })?.publishedAt).toBe(seenAt)
})

test.for([
  [{}, '0.25 hours of training. Graded: 80% to pass. At most 3 attempts.'],
  [{ hours: 1, maxAttempts: 1 }, '1 hour of training. Graded: 80% to pass. At most one attempt.'],
  [{ hours: 0, passScore: 0, maxAttempts: 0 }, 'Graded. Any number of attempts.'],
  [{ hours: '', graded: 0, maxAttempts: '' }, 'Not graded. Any number of attempts.'],
] as const)('says what it takes to pass a quiz with %j', ([change, summary]) => {
  expect(quizSummaryOf(change)).toBe(summary)
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
