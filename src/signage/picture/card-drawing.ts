import {
  barWidth,
  cardGap,
  cardPadding,
  labelLine,
  noticePadding,
  noticesHeight,
  noticeTitle,
  storyHeight,
  storyTitle,
  textBox,
  textGap,
  textLine,
  type CardPage,
  type Notices,
  type Story,
} from '../board-cards.ts'
import type { Screen } from '../board-sizes.ts'
import type { BoardMessages } from '../messages/en.ts'
import type { Canvas } from './canvas.ts'
import type { Box } from './list-drawing.ts'

export type CardOptions = { readonly screen: Screen; readonly words: BoardMessages }

/** Draws a page of a board's cards. Returns the box of its photo, if it has one. */
export function drawCards(
  canvas: Canvas,
  { notices, story }: CardPage,
  box: Box,
  options: CardOptions,
): Box | undefined {
  const taken = notices ? drawNotices(canvas, notices, box, options) : 0
  if (!story) return undefined
  const gap = taken === 0 ? 0 : cardGap * options.screen.smallest
  const rest = { ...box, top: box.top + taken + gap, height: box.height - taken - gap }
  return drawStory(canvas, story, rest, options)
}

/** Draws announcements in frames. Returns their height. */
function drawNotices(
  canvas: Canvas,
  { items, size, hasLabel }: Notices,
  box: Box,
  { screen, words }: CardOptions,
): number {
  const { fit, inks } = canvas
  let y = box.top
  for (const item of items) {
    const height = noticesHeight([item], box.width, size, { screen, fit, hasLabel })
    canvas.frame(box.left, y, box.width, height, lineWidth(size), inks.text)
    canvas.rect(box.left, y, barWidth * size, height, inks.accent)
    const x = box.left + (barWidth + cardPadding) * size
    const inner = {
      x,
      y: y + noticePadding * size,
      width: box.width - 2 * cardPadding * size - barWidth * size,
    }
    const label = hasLabel ? words.announcement : ''
    drawText(canvas, { ...item, label }, inner, { size, title: noticeTitle })
    y += height + cardGap * screen.smallest
  }
  return y - box.top - cardGap * screen.smallest
}

const lineWidth = (size: number) => Math.max(2, Math.round(size * 0.09))

type TextOptions = {
  readonly size: number
  readonly title: { readonly size: number; readonly line: number }
}

/** Draws a label, a title and a text, each of which may be empty. */
function drawText(
  canvas: Canvas,
  { label, title, text }: Record<'label' | 'title' | 'text', string>,
  box: { readonly x: number; readonly y: number; readonly width: number },
  { size, title: form }: TextOptions,
): void {
  const { inks } = canvas
  const gap = textGap * size
  let { y } = box
  if (label !== '') {
    const style = { size, isBold: true, color: inks.accent }
    y = canvas.paragraph(label, { ...box, y }, labelLine * size, style) + gap
  }
  if (title !== '') {
    const style = { size: form.size * size, isBold: true }
    y = canvas.paragraph(title, { ...box, y }, form.line * size, style) + gap
  }
  if (text !== '') canvas.paragraph(text, { ...box, y }, textLine * size, { size })
}

/** Largest height of a photo above text, as a share of its width. */
const maxPhotoRatio = 0.75

/** Draws a story. Returns the box of its photo, if it has one. */
function drawStory(
  canvas: Canvas,
  { item, size, picture, hasLabel }: Story,
  box: Box,
  { screen, words }: CardOptions,
): Box | undefined {
  const { smallest } = screen
  const inner = { x: box.left, y: box.top, width: box.width }
  const label = hasLabel ? item.category || words.story : ''
  const textAt = (at: typeof inner) =>
    drawText(canvas, { ...item, label }, at, { size, title: storyTitle })
  if (picture === 'none') {
    textAt(inner)
    return undefined
  }
  const text = textBox(box, picture, smallest)
  const gap = cardPadding * smallest
  if (picture === 'beside') {
    textAt({ ...inner, x: box.left + box.width - text.width, width: text.width })
    return { ...box, width: box.width - text.width - gap }
  }
  const textHeight = storyHeight(item, box.width / size, hasLabel, canvas.fit) * size
  const height = Math.min(box.height - textHeight - gap, box.width * maxPhotoRatio)
  textAt({ ...inner, y: box.top + height + gap })
  return { ...box, height }
}
