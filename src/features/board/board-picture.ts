import type { Request, RequestHandler, Response } from 'express'
import { withTimeout } from '../../clock.ts'
import { drawnPicture, type PictureFormat } from '../../pictures/drawn-picture.ts'
import { PicturesBusy } from '../../pictures/picture-source.ts'
import type { BoardView } from '../../signage/board-view.js'
import { siteOf } from '../../web/context.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { queryOf } from '../../web/urls.ts'
import { viewerFrom } from '../../web/viewer.ts'
import { drawableView, drawingOf, formOf, nextChangeAt } from './board-drawing.ts'
import {
  limitNewLanguages,
  pictureLimit,
  readBoard,
  sendBoardAs,
  type Board,
} from './board-request.ts'
import { pictureOptions, pictureOptionsFor, type PictureOptions } from './picture-options.ts'

const types: Readonly<Record<PictureFormat, string>> = { png: 'image/png', bmp: 'image/bmp' }

/** Maximum wait for a photo. Displays wait for the picture, and a later one can include the photo. */
const maxPhotoWaitMs = 3_000

/** Returns a handler that sends a board as a picture. The path may contain the size and the colors. */
export const sendBoardPicture =
  (format: PictureFormat): RequestHandler =>
  async (request, response, next) => {
    const query = pictureQuery(request)
    if (!query) return next()
    const board = await readBoard(request, response, query, pictureOptionsFor, pictureLimit)
    limitNewLanguages(request, response, board.options.lang)
    const expiresAt = nextChangeAt(board.items, { ...board, now: siteOf(response).clock.now() })
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

async function fileOf(
  response: Response,
  { items, options, ...read }: Board<PictureOptions>,
  format: PictureFormat,
): Promise<Buffer> {
  const { site, clock } = siteOf(response)
  const now = clock.now()
  const whole = drawableView(items, options, { site, now })
  const { view, bytes } = await withPhoto(whole, response)
  // Anyone passing by could scan a link's private URL.
  const isFollowed = options.hasQrCode && !viewerFrom(response, 'feed').link
  const code = isFollowed ? await qrCodeOf(`${site.publicUrl}/`) : ''
  const drawing = drawingOf(view, { ...read, options, site, now, code, bytes })
  return drawnPicture(drawing, formOf(options, format, view))
}

/** Keeps only the photo of the first story, because a picture shows no other story. */
async function withPhoto(view: BoardView, response: Response) {
  const [first] = view.emergency ? [] : view.stories
  const bytes = first?.pictureUrl ? await photoAt(first.pictureUrl, response) : undefined
  const stories = view.stories.map((story) =>
    story === first && bytes ? story : { ...story, pictureUrl: null },
  )
  return { view: { ...view, stories }, bytes }
}

async function photoAt(url: string, response: Response): Promise<Buffer | undefined> {
  const { pictures, clock } = siteOf(response)
  const fetching = pictures.originalOf(url).catch((error: unknown) => {
    if (error instanceof PicturesBusy) return undefined
    throw error
  })
  const picture = await withTimeout(fetching, maxPhotoWaitMs, () => undefined, { clock })
  return picture?.bytes
}
