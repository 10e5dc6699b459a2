import { noneChosen, type FeedOptionSet, type ValuesOf } from '../options/option.ts'
import { tagUri } from '../syndication/channel.ts'
import { itemOptions } from '../syndication/item-options.ts'
import {
  noSourcesText,
  type AboutCombinedFeed,
  type CombinedFeed,
  type CombinedSource,
} from './combined-feed.ts'
import type { Feed, FeedFormat, FeedRequest } from './feed.ts'
import { renderItems } from './news-feed.ts'
import type { Site } from './site.ts'
import { partKeyOf, showOption, sourcesFrom, type SourceChoice } from './source-list.ts'

type CombinedNewsOptions = ValuesOf<typeof itemOptions> & {
  /** Undefined means all feeds. */
  readonly show: readonly SourceChoice[] | undefined
}

const formats: readonly FeedFormat[] = ['rss', 'atom', 'json']

/** Creates a feed for feed readers that combines news feeds, with the latest item first. */
export function combinedNews(about: AboutCombinedFeed, feeds: readonly Feed[]): CombinedFeed {
  const newsFeeds = feeds.filter((feed) => feed.formats.includes('rss'))
  const optionsFor = (offered: readonly Feed[]): FeedOptionSet<CombinedNewsOptions> => ({
    show: showOption(newsFeeds, offered, 'rss', {
      example: 'show=events,news:5.6',
      meaning:
        'only these feeds; the numbers after a feed are values of its option for [categories](#options); the default is every news feed that the address can read',
    }),
    ...itemOptions,
  })
  const options = optionsFor(newsFeeds)

  return {
    ...about,
    formats,
    options: (_format, offered) => (offered ? optionsFor(offered) : options),
    sourcesFrom: (readable, _format, { values: { show } }) =>
      sourcesFrom({ all: newsFeeds, readable }, show as CombinedNewsOptions['show']),
    render(sources, request, { site }) {
      const { profile, chosen } = request
      const given = { ...noneChosen(options).values, ...chosen.values } as CombinedNewsOptions
      const { show } = given
      const drafts = sources
        .flatMap((source) => draftsFrom(source, { show, profile, site }))
        .map((draft) => ({ ...draft, order: draft.publishedAt }))
      const channel = {
        id: tagUri(site.idHost, about.id),
        title: about.title,
        description: sources.length === 0 ? noSourcesText : about.summary,
        changedAt: Math.max(0, ...sources.map(({ source }) => source.changedAt)),
      }
      return renderItems(drafts, channel, request, given, site)
    },
  }
}

function draftsFrom(
  { feed, source }: CombinedSource,
  {
    show,
    ...request
  }: Pick<CombinedNewsOptions, 'show'> & {
    readonly profile: FeedRequest['profile']
    readonly site: Site
  },
) {
  const parts = show?.find(({ feedId }) => feedId === feed.id)?.parts ?? []
  const key = partKeyOf(feed, 'rss')
  return feed.newsItems?.(source, { ...request, values: key ? { [key]: parts } : {} }) ?? []
}
