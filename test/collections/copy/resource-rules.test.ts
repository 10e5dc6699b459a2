import { expect, test } from 'vitest'
import { rulesFor } from '../../../src/collections/copy/resource-rules.ts'
import { feedResources } from '../../../src/records/resources.ts'

const window = { pastDays: 30, futureDays: 365 }

test('limits the number of records of every resource except members and certifications', () => {
  const unlimited = [...feedResources, 'databases/1' as const].filter((resource) => {
    const { dateOf, queryFor } = rulesFor(resource)
    return !dateOf && !queryFor?.('2026-03-05', window)['EndDate']
  })
  expect(unlimited).toEqual(['members', 'training', 'members/contacts', 'training/membercerts'])
})
