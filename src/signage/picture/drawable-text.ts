import { filled } from '../board-language.ts'
import type { BoardItem } from '../board-item.ts'

export type HasCharacter = (character: string) => boolean

/** Unicode's codes of scripts, each with its code for `Intl.DisplayNames`. */
const scripts = [
  ['Hira', 'Jpan'],
  ['Kana', 'Jpan'],
  ['Hang', 'Kore'],
  ['Hani', 'Hani'],
  ['Arab', 'Arab'],
  ['Hebr', 'Hebr'],
  ['Thai', 'Thai'],
  ['Deva', 'Deva'],
  ['Beng', 'Beng'],
  ['Taml', 'Taml'],
  ['Telu', 'Telu'],
  ['Geor', 'Geor'],
  ['Armn', 'Armn'],
  ['Ethi', 'Ethi'],
  ['Khmr', 'Khmr'],
] as const

const patterns = scripts.map(([code, name]) => [new RegExp(`\\p{sc=${code}}`, 'u'), name] as const)

/** Characters without a shape of their own, some of which change the direction of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u{FE00}-\u{FE0F}]/gu

/**
 * Returns the part of a text that a font can draw, which may be empty. Without this, missing
 * characters would be drawn as boxes.
 */
export function drawableText(text: string, hasCharacter: HasCharacter): string {
  const shown = Array.from(withoutInvisible(text), (character) =>
    hasCharacter(character) || character === '\n' ? character : simpler(character, hasCharacter),
  )
  return shown.join('').replaceAll(/ {2,}/g, ' ').replaceAll(/^ | $/gm, '')
}

const withoutInvisible = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[^\S\n]/gu, ' ')
    .replaceAll(invisible, (character) => (character === '\n' ? character : ''))

/** Returns the plain form of a stylized character, such as a full-width letter. */
function simpler(character: string, hasCharacter: HasCharacter): string {
  const plain = Array.from(character.normalize('NFKC'))
  return plain.every(hasCharacter) ? plain.join('') : ''
}

const isReadable = (text: string) => /[\p{L}\p{N}]/u.test(text)

export type UndrawableTexts = {
  /** With the name of a script, `{script}`. */
  readonly inScript: string
  readonly otherwise: string
}

/** Returns an item with drawable texts. A title without any is replaced by a note that says so. */
export function drawableItem(
  item: BoardItem,
  lang: string,
  texts: UndrawableTexts,
  hasCharacter: HasCharacter,
): BoardItem {
  const drawn = (text: string) => {
    const shown = drawableText(text, hasCharacter)
    return isReadable(shown) ? shown : ''
  }
  const title = drawn(item.title)
  const isLost = title === '' && item.title !== ''
  return {
    ...item,
    title: isLost ? undrawable(item.title, lang, texts) : title,
    text: drawn(item.text),
    location: drawn(item.location),
    category: drawn(item.category),
    room: drawn(item.room),
    ...(item.asWritten !== undefined && { asWritten: drawn(item.asWritten) }),
  }
}

function undrawable(title: string, lang: string, { inScript, otherwise }: UndrawableTexts): string {
  const [, code] = patterns.find(([pattern]) => pattern.test(title)) ?? []
  const script = code && new Intl.DisplayNames(lang, { type: 'script' }).of(code)
  return script === undefined ? otherwise : filled(inScript, { script })
}
