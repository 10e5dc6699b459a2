import { expect, test } from 'vitest'
import { publishableFeeds } from '../../src/feeds/catalog.ts'
import { members } from '../../src/feeds/catalog/members.ts'
import type { Profile } from '../../src/records/profile.ts'
import { sharedService } from '../support/shared-service.ts'
import {
  documentedMarks,
  markedCatalog,
  markedDatabase,
  markedDataset,
  memberMarks,
} from './marked-website.ts'

/* Searches for the mark of every text field of the website, as different viewers. */

const { feeds } = markedCatalog
const dataset = markedDataset()
/** All marks of the website, including those of hidden records. */
const allMarks = [
  ...new Set(
    JSON.stringify(dataset)
      .match(/zq(?:(?!zq)\w)+zq/g)
      ?.map((mark) => mark.toLowerCase()),
  ),
]
const feedIds = feeds.map(({ id }) => id)

const service = sharedService({
  publicFeedIds: publishableFeeds.map(({ id }) => id),
  sandbox: { datasetOn: () => dataset },
  databases: [markedDatabase],
  environment: { TRUST_PROXY: '1' },
})

let clients = 0
/** Each request comes from another client, because searches are limited. */
async function textAt(url: string): Promise<string> {
  clients += 1
  const address = `10.0.${clients >> 8}.${clients & 255}`
  const { status, text } = await service().get(url, { 'X-Forwarded-For': address })
  expect([url, status]).toEqual([url, 200])
  return text
}

const pages = ['search', 'news', 'documents', 'minutes']

/** Results on pages, and in each format of a combined feed. The words themselves are in all of them. */
const result = /<a class="story|BEGIN:VEVENT|<item>|<entry>|"date_published"/

/** Returns the marks for which a page or combined feed has results. */
async function foundAt(base: string, combined: string): Promise<readonly string[]> {
  const feeds = ['ics', 'rss', 'atom', 'json'].map((format) => `${combined}.${format}`)
  const found: string[] = []
  for (const mark of allMarks) {
    for (const path of [...pages, ...feeds]) {
      if (result.test(await textAt(`${base}${path}?q=${mark}`))) found.push(mark)
    }
  }
  return [...new Set(found)]
}

const viewers: readonly {
  readonly name: string
  readonly profile: Profile
  readonly ids?: readonly string[]
  readonly also?: readonly string[]
}[] = [
  {
    name: 'a link with the profile full and the members',
    profile: 'full',
    ids: [...feedIds, members.id],
    also: memberMarks(),
  },
  { name: 'a link with the profile full', profile: 'full', ids: feedIds },
  { name: 'a link with the profile members', profile: 'members', ids: feedIds },
  { name: 'the public', profile: 'public' },
]

/* The public comes last, so it could find what others have searched before. */
test.for(viewers)('$name finds only the documented fields', async ({ profile, ids, also = [] }) => {
  const base = ids
    ? await service().addLink({ feedIds: ids, profile: profile as 'full' | 'members' })
    : `${service().url}/`
  const visible = [...documentedMarks(ids ? feeds : publishableFeeds, profile), ...also]
  const found = await foundAt(base, ids ? 'my' : 'all')
  expect(found.filter((mark) => !visible.includes(mark))).toEqual([])
  expect(allMarks.filter((mark) => mark.startsWith('zqhidden_')).length).toBeGreaterThan(20)
  expect(found.length).toBeGreaterThan(profile === 'public' ? 15 : 20)
})

test('does not find parts of a mark that is hidden, with words that are visible', async () => {
  const text = await textAt(`${service().url}/search?q=zqsignup_groups_slots_signedup`)
  expect(text).not.toMatch(result)
})
