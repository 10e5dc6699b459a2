import type { Size } from '../../pictures/indexed-picture.ts'
import { eventPicture } from '../../pictures/event-picture.ts'
import { fontWidths } from '../../pictures/font.ts'
import { previewSize } from '../../pictures/icon-drawing.ts'
import { timeInWords } from '../../records/date-words.ts'
import { drawableText } from '../../signage/picture/drawable-text.ts'
import type { ItemRequest, Page } from '../../web/page-handler.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { entryPage, forItem } from './item-pages.ts'
import { networkIn } from '../../web/turns.ts'

/** Social networks show square pictures in full. */
const squareSize: Size = { width: 1080, height: 1080 }

/** A page that prints an event on Letter or A4 paper. */
export const flyerPage: Page = { ...entryPage, show: forItem(showFlyer) }

/** A square picture of an event with a QR code, to post. */
export const squarePicture: Page = { ...entryPage, show: forItem((item) => draw(item, squareSize)) }

/** The picture that messengers show with a link to an event. */
export const cardPicture: Page = { ...entryPage, show: forItem((item) => draw(item, previewSize)) }

async function showFlyer({ context, render, id, url, page }: ItemRequest) {
  const { event } = page
  if (!event || context.site.isStatic) return undefined
  return render('items/flyer', {
    id,
    page,
    when: timeInWords(event.time, context.site.language),
    where: placeOf(event),
    address: url.replace(/^https?:\/\//, ''),
    qrCode: await qrCodeOf(url),
  })
}

const drawable = (text: string) => drawableText(text, fontWidths().hasCharacter)

async function draw({ context, request, response, url, page }: ItemRequest, size: Size) {
  const { site, siteImages, listLimit } = context
  const { event, title } = page
  if (!event || site.isStatic) return undefined
  listLimit(request.ip ?? '')
  const { accent: color, onAccent: onColor } = site.identity.colors.brand
  const content = {
    ...size,
    title: drawable(title),
    when: drawable(timeInWords(event.time, site.language)),
    where: drawable(placeOf(event)),
    name: drawable(site.name),
    color,
    onColor,
    icon: await siteImages.icon(),
    code: size === squareSize ? await qrCodeOf(url) : '',
  }
  const file = await eventPicture(content, networkIn(request))
  response.type('png')
  return file
}

const placeOf = ({ place, location }: NonNullable<ItemRequest['page']['event']>) =>
  place ? `${place.name}, ${place.address}` : location
