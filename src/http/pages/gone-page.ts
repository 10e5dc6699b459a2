import type { Response } from 'express'
import type { Feed } from '../../feeds/feed.ts'
import type { SiteContext } from '../context.ts'
import { viewerFrom } from '../feeds/viewer.ts'

/** Number of other items on the page. */
const othersShown = 3

/**
 * Sets the status, and returns the page of an item that the website no longer shows, with other items.
 * Returns undefined for an id that has not been used yet, and on a static host.
 */
export async function gonePage(
  { site, itemPages, overviews, render }: SiteContext,
  feed: Feed,
  id: number,
  response: Response,
): Promise<string | undefined> {
  const text = site.isStatic ? undefined : await itemPages.goneText(feed, id)
  if (text === undefined) return undefined
  response.status(410).set('Cache-Control', 'no-store')
  const { entries } = await overviews.read(feed, viewerFrom(response).profile)
  return render('gone', { feed, text, next: entries.slice(0, othersShown) })
}
