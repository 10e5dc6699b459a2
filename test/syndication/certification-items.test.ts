import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'
import { itemsFromCertifications } from '../../src/syndication/certification-items.ts'

const seenAt = Date.parse('2026-03-05T14:00:00Z')

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

/** Returns the item for the time after the certification has expired. */
function itemOf(change: object = {}) {
  const { records } = readRecords('training/membercerts', [{ ...certification, ...change }])
  const source = {
    siteUrl: 'https://cedarhollow.example',
    idHost: 'cedarhollow.example',
    timeZone: 'America/New_York',
    profile: 'full',
    urlOf: String,
    websiteUrlOf: String,
    knownOf: () => ({ hash: 'a', revision: 0, firstSeenAt: seenAt, changedAt: seenAt }),
  } as const
  const [, item] = itemsFromCertifications(records, source, 90)
  return item?.make()
}

test('says whose certification expired, and when', () => {
  expect(itemOf()).toMatchObject({
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

test('leaves out what is unknown', () => {
  const unknown = { status: 1, member: '', certName: '', issued: '', certNumber: '' }
  expect(itemOf(unknown)).toMatchObject({
    title: 'A certification expired on Jan 10, 2026',
    summary:
      'A certification expired on Saturday, January 10, 2026. Status on the website: Active.',
  })
})

test('appears when the website gets the certification, if that is later', () => {
  expect(itemOf({ created: '2026-01-02 12:00:00' })?.publishedAt).toBe(
    Date.parse('2026-01-02T17:00:00Z'),
  )
})

test('has another id after a renewal', () => {
  expect(itemOf({ expires: '2029-01-10' })?.id).toBe(
    'tag:cedarhollow.example,2026:training-2029-01-10-12',
  )
})
