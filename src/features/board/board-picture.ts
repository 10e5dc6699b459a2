import type { Request, RequestHandler, Response } from 'express'
import { withTimeout } from '../../clock.ts'
import type { PictureFormat } from '../../pictures/drawn-picture.ts'
import { createDrawingThread } from '../../pictures/drawing-thread.ts'
import { PicturesBusy } from '../../pictures/picture-source.ts'
import { siteOffsetsAt } from '../../records/clock-changes.ts'
import { daysAfter, instantFromSiteTime } from '../../records/site-time.ts'
import type { BoardItem } from '../../signage/board-item.ts'
import { siteTimeAt, viewOf, type BoardView } from '../../signage/board-view.ts'
import { nextChange } from '../../signage/picture/next-change.ts'
import { siteOf } from '../../web/context.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { queryOf } from '../../web/urls.ts'
import { viewerFrom } from '../../web/viewer.ts'
import type { drawnBoard } from './board-drawing.ts'
import {
  limitNewLanguages,
  pictureLimit,
  readBoard,
  sendBoardAs,
  type Board,
} from './board-request.ts'
import { pictureOptions, pictureOptionsFor, type PictureOptions } from './picture-options.ts'
import { networkIn } from '../../web/turns.ts'

const types: Readonly<Record<PictureFormat, string>> = { png: 'image/png', bmp: 'image/bmp' }

/** Maximum wait for a photo. Displays wait for the picture, and a later one can include the photo. */
const maxPhotoWaitMs = 3_000

/** Draws boards for all sites in the process, so that the main thread can answer other requests. */
const drawnInThread: (
  ...drawing: [...Parameters<typeof drawnBoard>, network: string]
) => Promise<Buffer> = createDrawingThread(import.meta.resolve('./board-drawing-thread.ts'))

/** Returns a handler that sends a board as a picture. The path may contain the size and the colors. */
export const sendBoardPicture =
  (format: PictureFormat): RequestHandler =>
  async (request, response, next) => {
    const query = pictureQuery(request)
    if (!query) return next()
    const board = await readBoard(request, response, query, pictureOptionsFor, pictureLimit)
    limitNewLanguages(request, response, board.options.lang)
    const { clock } = siteOf(response)
    const expiresAt = nextChangeAt(board.items, board.site.timeZone, clock.now())
    const file = await fileOf(response, board, format)
    response.set({
      // Caches ignore it because of `max-age`.
      Expires: new Date(expiresAt).toUTCString(),
      // Some displays compare the whole value.
      'Content-Type': types[format],
    })
    await sendBoardAs(request, response, file, pictureOptions, expiresAt)
  }

/** Returns the options in the query and in the path, like `/board/800x480-2.png`. */
function pictureQuery({ originalUrl, params }: Request): URLSearchParams | undefined {
  const query = queryOf(originalUrl)
  const { picture } = params
  if (picture === undefined) return query
  const [, size, colors] = /^(\d+x\d+)-([a-z\d]+)$/.exec(String(picture)) ?? []
  if (size === undefined || colors === undefined) return undefined
  query.append('size', size)
  query.append('colors', colors)
  return query
}

/** Returns the time of a picture's next known change, so that displays can sleep until then. */
function nextChangeAt(items: readonly BoardItem[], timeZone: string, now: number): number {
  const today = siteTimeAt(now, siteOffsetsAt(now, timeZone)).slice(0, 10)
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, timeZone)
  return nextChange(items, now, instantOf(`${daysAfter(today, 1)}T00:00:00`), instantOf)
}

async function fileOf(
  response: Response,
  { items, options, readAt, intervalMs }: Board<PictureOptions>,
  format: PictureFormat,
): Promise<Buffer> {
  const { site, clock } = siteOf(response)
  const { name, language, identity } = site
  const now = clock.now()
  const offsets = siteOffsetsAt(now, site.timeZone)
  const view = viewOf(items, { now: siteTimeAt(now, offsets), instant: now })
  // Anyone passing by could scan a link's private URL.
  const isFollowed = options.hasQrCode && !viewerFrom(response, 'feed').link
  const drawing = {
    items,
    options,
    format,
    site: { name, language, color: identity.color },
    readAt,
    intervalMs,
    now,
    offsets,
    code: isFollowed ? await qrCodeOf(`${site.publicUrl}/`) : '',
    photo: await photoFor(view, response),
  }
  return drawnInThread(drawing, networkIn(response.req))
}

/** Resolves to the photo of the first story, because a picture shows no other story. */
async function photoFor(
  { emergency, stories: [first] }: BoardView,
  response: Response,
): Promise<Buffer | undefined> {
  if (emergency || !first?.pictureUrl) return undefined
  const { pictures, clock } = siteOf(response)
  const fetching = pictures.originalOf(first.pictureUrl).catch((error: unknown) => {
    if (error instanceof PicturesBusy) return undefined
    throw error
  })
  const picture = await withTimeout(fetching, maxPhotoWaitMs, () => undefined, { clock })
  return picture?.bytes
}
