import { expect, test } from 'vitest'
import { createFeedResponses } from '../../../src/http/feeds/feed-address.ts'
import { responseKey } from '../../../src/http/front/protocol.ts'
import { createPublishedResponses } from '../../../src/http/front/published-responses.ts'
import { createPublishing } from '../../../src/http/front/publishing.ts'
import { representationsOf, textOf } from '../../support/representations.ts'
import { testSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Announces a feed without requesting it. */
function publishedEarly({ maxBytes }: { readonly maxBytes: number }) {
  const { clock, representations, target, change } = representationsOf({ isPinned: true })
  representations.start()
  const published = createPublishedResponses(clock)
  const remember = () => published.remember('/news.rss', address)
  const address = {
    site: '',
    key: responseKey('', target().name),
    isDownload: false,
    link: undefined,
    editedAt: undefined,
    route: '/news.rss',
    countsAsUse: true,
  }
  const announced: unknown[] = []
  const publishing = createPublishing({
    site: '',
    front: {
      ...published,
      remember,
      announce(host, path, announcedAddress) {
        announced.push({ host, path, address: announcedAddress })
        published.remember(path, announcedAddress)
      },
      done: async () => undefined,
      onUse: () => undefined,
    },
    representations,
    feedResponses: createFeedResponses(testSite),
    early: {
      feeds: [{ target: target(), host: 'feeds.example', path: '/news.rss', route: '/news.rss' }],
      maxBytes,
    },
    links: {
      byId: () => undefined,
      isLoaded: () => true,
      open: () => [],
      onChange: () => undefined,
    },
    requestLog: { answered: () => undefined },
    clock,
  })
  return {
    address,
    announced,
    change,
    /** Returns what the front sends for the feed. */
    sent: () => {
      const { selectionFor } = published.find('/news.rss')?.response ?? {}
      return selectionFor?.(['identity']).accepted[0].body.bytes.toString()
    },
    /** Resolves once the maker has rendered the text. */
    renders: (text: string) =>
      waitFor(() => {
        const { representation } = representations.rendered(target()) ?? {}
        expect(representation && textOf(representation)).toBe(text)
      }),
    request: () => {
      const { request, response } = {} as never
      publishing.remember(request, response, { ...address, target: target() })
    },
  }
}

test('publishes an early feed before anyone requests it, and whenever it changes', async () => {
  const { address, announced, change, renders, sent } = publishedEarly({ maxBytes: 100 })
  expect(announced).toEqual([{ host: 'feeds.example', path: '/news.rss', address }])
  await renders('a')
  expect(sent()).toBe('a')
  change(2, 'b')
  await renders('b')
  expect(sent()).toBe('b')
})

test('publishes early feeds beyond the size limit only once they are requested', async () => {
  const { change, renders, request, sent } = publishedEarly({ maxBytes: 3 })
  await renders('a')
  expect(sent()).toBe('a')
  change(2, 'too large')
  await renders('too large')
  expect(sent()).toBeUndefined()
  request()
  expect(sent()).toBe('too large')
})
