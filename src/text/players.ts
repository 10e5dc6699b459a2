import { fileTypeOf, maxAddressLength } from './file-types.ts'

export type Attributes = Readonly<Record<string, string>>

/** URL patterns of players, without the scheme and `www.`, and the pages to link to instead. */
const pages = String.raw`
youtube(?:-nocookie)?\.com/embed/live_stream\?(?:.*&)?channel=([\w-]+) www.youtube.com/channel/$1/live
youtube(?:-nocookie)?\.com/embed/videoseries\?(?:.*&)?list=([\w-]+) www.youtube.com/playlist?list=$1
youtube(?:-nocookie)?\.com/(?:embed|live|shorts|v)/(?!live_stream|videoseries)([\w-]+) www.youtube.com/watch?v=$1
youtube\.com/watch\?(?:.*&)?v=([\w-]+) www.youtube.com/watch?v=$1
youtu\.be/([\w-]+) www.youtube.com/watch?v=$1
player\.vimeo\.com/video/(\d+)/?\?(?:.*&)?h=(\w+) vimeo.com/$1/$2
player\.vimeo\.com/video/(\d+) vimeo.com/$1
vimeo\.com/event/(\d+)/embed vimeo.com/event/$1
player\.twitch\.tv/\?(?:.*&)?channel=(\w+) www.twitch.tv/$1
player\.twitch\.tv/\?(?:.*&)?video=v?(\d+) www.twitch.tv/videos/$1
dailymotion\.com/embed/video/(\w+) www.dailymotion.com/video/$1
livestream\.com/(accounts/\d+/events/\d+)(?:/videos/\d+)?/player livestream.com/$1
boxcast\.tv/view-embed/([\w-]+) boxcast.tv/view/$1
broadcastify\.com/webPlayer/(\d+) www.broadcastify.com/listen/feed/$1
open\.spotify\.com/embed(?:-podcast)?/(\w+/\w+) open.spotify.com/$1`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([pattern, page]) => ({ pattern: new RegExp(`^${pattern}(?=[/?&]|$)`, 'i'), page }))

/** Social networks whose players have the address of the page in a parameter. */
const networks = /^(?:[\w-]+\.)?(?:facebook|soundcloud)\.com$/

/**
 * Returns the address of the page or file that an element plays: a video, a live stream or a
 * recording. Returns undefined for anything else, such as forms and advertisements.
 */
export function playerAddress(element: string, attributes: Attributes): string | undefined {
  const { name = '', value } = attributes
  const parameter = /^(?:filename|movie|src|url)$/i.test(name) ? value : undefined
  const { src = parameter, data, 'data-src': lazy = src ?? data } = attributes
  const { 'data-href': page = lazy } = attributes
  if (page === undefined || page.length > maxAddressLength) return undefined
  if (/^(?:audio|source|video)$/.test(element)) return page
  const url = URL.parse(page, 'https://www.example.org')
  if (!url) return undefined
  if (networks.test(url.hostname)) {
    if ('data-href' in attributes) return url.href
    const linked = URL.parse(url.searchParams.get('href') ?? url.searchParams.get('url') ?? '')
    return linked && networks.test(linked.hostname) ? linked.href : undefined
  }
  const address = `${url.host}${url.pathname}${url.search}`.replace(/^(?:www|m|geo)\./, '')
  const known = pages.find(({ pattern }) => pattern.test(address))
  if (known) return address.replace(known.pattern, `https://${known.page}\n`).split('\n', 1)[0]
  return /^(?:audio|video)\//.test(fileTypeOf(url.pathname) ?? '') ? page : undefined
}
