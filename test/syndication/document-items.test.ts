import { expect, test } from 'vitest'
import { draftFromDocument, draftFromMinutes } from '../../src/syndication/document-items.ts'
import { firstSeenAt, itemSource, itemsWith } from './item-source.ts'

const bylaws = {
  id: 7,
  title: 'Bylaws &amp; policies',
  text: '<p>As <b>amended</b>.</p>',
  status: 2,
  public: 1,
  categoryId: 1,
  category: 'Bylaws',
  created: '2026-03-01 09:00:00',
  createdBy: 'Robin Vale',
  files: [
    { id: 1, fileName: 'bylaws.pdf', extension: 'pdf', fileSize: 182_400 },
    { id: 2, fileName: 'maps &amp; plans.zip', extension: '.ZIP', fileSize: 5_242_880 },
  ],
}

const itemOf = (change: object = {}) =>
  itemsWith('documents', bylaws, (document, source) => draftFromDocument(document, source))([
    change,
  ])[0]

const filesHtml = (file: object) => itemOf({ text: '', files: [file] })?.contentHtml

test('lists the files of a document with types and sizes, and links to the website', () => {
  expect(itemOf()).toMatchObject({
    title: 'Bylaws & policies',
    summary: 'As amended. bylaws.pdf (PDF, 178 KB), maps & plans.zip (ZIP, 5.0 MB).',
    contentHtml: [
      '<p>As <b>amended</b>.</p>',
      '<ul><li>bylaws.pdf (PDF, 178 KB)</li><li>maps &amp; plans.zip (ZIP, 5.0 MB)</li></ul>',
      '<p>Open these files on the <a href="https://cedarhollow.example/items?page=1&amp;id=7" rel="noopener noreferrer nofollow">website</a>.</p>',
    ].join('\n'),
    author: '',
    category: 'Bylaws',
    publishedAt: Date.parse('2026-03-01T14:00:00Z'),
  })
})

test('omits unknown properties of a file', () => {
  expect(filesHtml({ id: 1, fileName: '', extension: '', fileSize: 0 })).toContain('<li>File</li>')
  expect(filesHtml({ id: 1, fileName: 'a.txt', extension: '', fileSize: 12 })).toContain(
    '<li>a.txt (12 bytes)</li>',
  )
  expect(filesHtml({ id: 1, fileName: 'a.txt', fileSize: 1_600 })).toContain('2 KB')
})

test('lists at most 100 files', () => {
  const files = Array.from({ length: 101 }, (_, id) => ({ id: id + 1, fileName: `${id}.pdf` }))
  expect(itemOf({ files })?.contentHtml.match(/<li>/g)).toHaveLength(100)
})

test('starts the title of minutes with the day of the meeting', () => {
  const change = { title: 'Business meeting', meetingDate: '2026-02-26', files: [] }
  expect(itemsWith('minutes', bylaws, draftFromMinutes)([change])[0]).toMatchObject({
    id: 'tag:cedarhollow.example,2026:minutes-7',
    title: 'Feb 26, 2026: Business meeting',
    summary: 'Meeting on Thursday, February 26, 2026. As amended.',
    contentHtml: '<p>Meeting on Thursday, February 26, 2026</p>\n<p>As <b>amended</b>.</p>',
  })
})

const dateFor = (profile: 'public' | 'members', known: object) =>
  itemsWith('documents', bylaws, (document, source) => draftFromDocument(document, source))([{}], {
    profile,
    knownOf: () => ({ ...itemSource.knownOf(7), ...known }),
  })[0]?.publishedAt

test('is dated for the public when it became public, and for members when it appeared', () => {
  const publicAt = firstSeenAt + 60_000
  const created = Date.parse('2026-03-01T14:00:00Z')
  expect(dateFor('public', { publicAt })).toBe(publicAt)
  expect(dateFor('members', { publicAt })).toBe(created)
  expect(dateFor('public', { publicAt: 0 })).toBe(created)
  expect(dateFor('public', { publicAt: 0, appearedAt: firstSeenAt })).toBe(firstSeenAt)
})
