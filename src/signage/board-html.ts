/* HTML for boards. The server renders the first page, and the screen renders the others. */
import type { CardPage, Story } from './board-cards.ts'
import type { DutyStrip } from './board-header.ts'
import { filled, pluralForm, type BoardLanguage } from './board-language.ts'
import type { Page } from './board-layout.ts'
import type { ListPage } from './board-list.ts'
import { timeText, type Row } from './board-rows.ts'

/**
 * Returns a page's HTML. Sizes and colors are in `data-` attributes, which the screen's script
 * applies, because the page's policy forbids inline styles.
 */
export function pageHtml(page: Page | undefined, language: BoardLanguage): string {
  if (!page) return `<p class="nothing">${escaped(language.words.nothing)}</p>`
  return 'columns' in page ? listHtml(page, language) : cardsHtml(page, language)
}

function listHtml({ columns, form, size, more }: ListPage, language: BoardLanguage): string {
  const states = [
    form.isStacked && 'stacked',
    form.isInline && 'inline',
    form.timeWidth > 0 && 'timed',
  ]
  const classes = ['page', 'list', ...states].filter(Boolean).join(' ')
  const lists = columns.map((rows, index) => {
    const isCut = more > 0 && index === columns.length - 1
    const rest = isCut ? `<li class="more">${escaped(moreText(more, language))}</li>` : ''
    const items = rows.map((row, place) => {
      const isNew = row.heading !== '' && rows[place - 1]?.heading !== row.heading
      const heading = isNew ? `<li class="heading"><h2>${escaped(row.heading)}</h2></li>` : ''
      return heading + rowHtml(row, form.isTimeSplit)
    })
    return `<ul class="column">${items.join('')}${rest}</ul>`
  })
  const attributes = `data-size="${size.toFixed(2)}" data-time="${form.timeWidth.toFixed(2)}"`
  return `<div class="${classes}" ${attributes}>${lists.join('')}</div>`
}

function rowHtml(row: Row, isTimeSplit: boolean): string {
  const { id, title, notes, color, from, until, isQuiet } = row
  const isTimed = timeText(row) !== ''
  const times = (isTimeSplit ? [from, until] : [timeText(row)])
    .filter((text) => text !== '')
    .map((text) => `<span>${escaped(text)}</span>`)
  const time = isTimed ? `<span class="time">${times.join('')}</span>` : ''
  const shownNotes = notes.map(({ tone, text }) => {
    const marked = tone === '' ? '' : ` class="${tone}"`
    return `<span${marked} dir="auto">${escaped(text)}</span>`
  })
  const more = notes.length === 0 ? '' : `<span class="notes">${shownNotes.join(' · ')}</span>`
  return `<li class="row${isTimed ? '' : ' untimed'}${isQuiet ? ' quiet' : ''}" data-id="${escaped(id)}"${colored(color)}>${time}<span class="what"><strong dir="auto">${escaped(title)}</strong>${more}</span></li>`
}

const colored = (color: string) => (color === '' ? '' : ` data-color="${escaped(color)}"`)

function cardsHtml({ notices, story }: CardPage, { words }: BoardLanguage): string {
  const label = notices?.hasLabel ? `<h2>${escaped(words.announcement)}</h2>` : ''
  const articles = (notices?.items ?? []).map(
    ({ id, title, text }) =>
      `<article class="notice" data-id="${escaped(id)}">${label}${title === '' ? '' : `<h3 dir="auto">${escaped(title)}</h3>`}${paragraph(text)}</article>`,
  )
  const size = notices ? sizeOf(notices) : ''
  const above = notices
    ? `<div class="notices${story ? '' : ' alone'}" ${size}>${articles.join('')}</div>`
    : ''
  return `<div class="page cards">${above}${story ? storyHtml(story, words) : ''}</div>`
}

function storyHtml(
  { item, size, stretch, picture, isLow, hasLabel }: Story,
  words: BoardLanguage['words'],
): string {
  const { id, title, text, pictureUrl, category } = item
  const label = category === '' ? words.story : category
  const image = pictureUrl === null ? '' : `<img src="${escaped(pictureUrl)}" alt="">`
  const above = hasLabel ? `<h2 dir="auto">${escaped(label)}</h2>` : ''
  const content = `${above}<h3 dir="auto">${escaped(title)}</h3>${paragraph(text)}`
  return `<article class="story ${picture}${isLow ? ' low' : ''}" data-id="${escaped(id)}">${image}<div class="text" ${sizeOf({ size, stretch })}>${content}</div></article>`
}

const sizeOf = ({ size, stretch }: { readonly size: number; readonly stretch: number }) =>
  `data-size="${size.toFixed(2)}" data-stretch="${stretch.toFixed(2)}"`

const paragraph = (text: string) => (text === '' ? '' : `<p dir="auto">${escaped(text)}</p>`)

export function dutyHtml({ cards, more }: DutyStrip, language: BoardLanguage): string {
  const shown = cards.map(
    ({ label, title, color }) =>
      `<li${colored(color)}><span dir="auto">${escaped(label)}</span><strong dir="auto">${escaped(title)}</strong></li>`,
  )
  const rest = more > 0 ? `<li><strong>${escaped(moreText(more, language))}</strong></li>` : ''
  return shown.join('') + rest
}

export const moreText = (count: number, { lang, words }: BoardLanguage): string =>
  filled(pluralForm(words.more, count, lang), { count })

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
