import { randomBytes } from 'node:crypto'
import { openProbe } from '../store/probe.ts'
import { checkPublicUrl } from '../check/public-url.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { defaultPublicFeeds, feeds } from '../feeds/catalog.ts'
import { addressWarning } from '../links/address-warning.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents } from '../store/store.ts'
import type { Finding } from '../check/site-check.ts'

const mediaTypes = {
  ics: 'text/calendar',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
} as const

/** Tests PUBLIC_URL the way an outside client would, if it is set and the service is running. */
export async function publicUrlFindings(
  { publicUrl, publicFeeds = defaultPublicFeeds, proxies, site }: Config,
  documents: Documents,
): Promise<readonly Finding[]> {
  if (publicUrl === undefined) return []
  const warning = addressWarning(publicUrl)
  const warnings = warning === undefined ? [] : [note(`PUBLIC_URL is ${publicUrl}. ${warning}`)]
  if (!(await isRunning(documents))) {
    return [
      ...warnings,
      note(
        'Feedhouse is not running yet. Start it and run check again to test PUBLIC_URL as well.',
      ),
    ]
  }
  const feed = feeds.find(({ id }) => publicFeeds.includes(id))
  const format = feed?.formats[0]
  const finding = await checkPublicUrl({
    publicUrl,
    proxies,
    probeKey: await openProbe(documents, { now: systemClock.now(), random: randomBytes }),
    feed:
      feed && format ? { path: `/${feed.id}.${format}`, mediaType: mediaTypes[format] } : undefined,
    caPem: site?.caPem,
  })
  return [...warnings, finding]
}

function note(sentence: string): Finding {
  return { check: 'PUBLIC_URL', ok: true, sentence }
}
