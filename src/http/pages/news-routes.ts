import { Router } from 'express'
import type { Feed } from '../../feeds/feed.ts'
import { siteTimeAt } from '../../records/site-time.ts'
import { boardItem } from '../../signage/board-item.ts'
import type { SiteContext } from '../context.ts'
import { prefixes, type Viewer } from '../feeds/viewer.ts'
import { allowForms } from '../server/security-headers.ts'
import { newsAddress, noNewsOptions, readNewsOptions, storiesIn } from './news-list.ts'
import { pageHandler, type PageRequest } from './page-handler.ts'
import { linksOf } from './page-routes.ts'

type Story = ReturnType<typeof storiesIn>['stories'][number]

/** Serves `/news`, a list of stories with categories, an archive and a search, also under feed links. */
export function newsRoutes(context: SiteContext): Router {
  const { site, basePath, collections, overviews, pictures, isOffered, render } = context
  const router = Router({ caseSensitive: true, strict: true })

  /** Returns the story with its thumbnail. A static host has no thumbnails. */
  function withPicture(story: Story, feed: Feed) {
    const [picture] = story.pictures
    if (!picture || site.isStatic) return { story, picture: undefined }
    const { url: pictureUrl, type: pictureType = null, width, height } = picture
    const start = siteTimeAt(story.publishedAt, site.timeZone)
    const about = {
      id: '',
      kind: feed.id,
      role: feed.boardRole,
      title: '',
      when: '',
      start,
      end: null,
    }
    const size = { pictureWidth: width ?? null, pictureHeight: height ?? null }
    const item = boardItem({ ...about, ...size, pictureUrl, pictureType })
    // Browsers may use another address than the public one, so the path has to do.
    const here = { ...site, publicUrl: basePath }
    return { story, picture: pictures.hosted([item], here, 'thumbnail')[0] }
  }

  async function showNews({ viewer, query, now }: PageRequest) {
    const feed = newsFeedOf(viewer)
    if (!feed?.newsItems || !isOffered(feed)) return undefined
    const chosen = readNewsOptions(query)
    const { profile, base } = viewer
    const { parts } = await overviews.read(feed, profile)
    const source = await collections.read(feed.resource)
    const values = { categories: chosen.categories }
    const drafts = feed.newsItems(source, { values, profile, site })
    const { stories, ...found } = storiesIn(drafts, chosen, { now, timeZone: site.timeZone })
    const addressOf = (changes: Partial<typeof chosen>) =>
      newsAddress(chosen, { page: 1, ...changes })
    const { categories, page } = chosen
    return render('news', {
      ...found,
      feed,
      chosen,
      stories: stories.map((story) => withPicture(story, feed)),
      categories: [
        { name: 'All', url: addressOf({ categories: [] }), isOn: categories.length === 0 },
        ...parts.map(({ id, name }) => ({
          name,
          url: addressOf({ categories: [id] }),
          isOn: categories.length === 1 && categories[0] === id,
        })),
      ],
      months: found.months.map((each) => ({ ...each, url: addressOf({ month: each.month }) })),
      allUrl: newsAddress(noNewsOptions, {}),
      everyMonthUrl: addressOf({ month: undefined }),
      newer: page > 1 ? addressOf({ page: page - 1 }) : undefined,
      older: found.hasMore ? addressOf({ page: page + 1 }) : undefined,
      alternates: linksOf(feed, base),
    })
  }

  for (const prefix of prefixes)
    router.get(`${prefix}/news`, allowForms, pageHandler(context, showNews))
  return router
}

function newsFeedOf({ feeds }: Viewer): Feed | undefined {
  return feeds.find(({ boardRole }) => boardRole === 'story')
}
