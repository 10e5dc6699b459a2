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

/** Results on pages, and in combined feeds. The words themselves are in all of them. */
const result = /<a class="story|BEGIN:VEVENT|"date_published"/

/** Part of the marks of all hidden records. A search also finds parts of words. */
const hiddenPart = 'zqhidden_'
const isHidden = (mark: string) => mark.startsWith(hiddenPart)

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
  const invisible = allMarks.filter((mark) => !visible.includes(mark))
  expect(invisible.filter(isHidden).length).toBeGreaterThan(20)
  const foundAt = async (path: string, marks: readonly string[]) => {
    const found: string[] = []
    for (const mark of marks) {
      if (result.test(await textAt(`${base}${path}?q=${mark}`))) found.push(mark)
    }
    return found
  }
  const combined = ids ? 'my' : 'all'
  // All formats of news feeds have the same items.
  for (const path of [...pages, `${combined}.ics`, `${combined}.json`]) {
    const others = invisible.filter((mark) => !isHidden(mark))
    expect([path, await foundAt(path, [hiddenPart, ...others])]).toEqual([path, []])
  }
  expect(await foundAt(`${combined}.ics`, ['zqevents_titlezq'])).toHaveLength(1)
  expect(await foundAt(`${combined}.json`, ['zqnews_headlinezq'])).toHaveLength(1)
  expect((await foundAt('search', visible)).length).toBeGreaterThan(ids ? 20 : 15)
})

test('does not find parts of a mark that is hidden, with words that are visible', async () => {
  const text = await textAt(`${service().url}/search?q=zqsignup_groups_slots_signedup`)
  expect(text).not.toMatch(result)
})
