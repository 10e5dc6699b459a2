import { isBlock } from '../text/markup.ts'
import { isEmptySearch, rankIn, type FoldedTexts, type Search } from '../search/search.ts'
import type { ItemDraft, ItemSource } from './feed-item.ts'

/** Returns a filter for items whose title, category, author and text match a search. */
export function itemFilter(
  foldedTexts: FoldedTexts,
  search: Search,
  reader: ItemSource,
): (draft: ItemDraft) => boolean {
  if (isEmptySearch(search)) return () => true
  const textsOf = itemTexts(foldedTexts, reader)
  return (draft) => rankIn(textsOf(draft), search) !== undefined
}

/** Returns a function that returns an item's searched texts, folded: first its title. */
export function itemTexts(
  foldedTexts: FoldedTexts,
  { profile, language, knownOf }: ItemSource,
): (draft: ItemDraft) => readonly string[] {
  const reader = `${profile} ${language}`
  return (draft) => {
    // A record can have several items that replace each other, at most one of which never expires.
    const variant = `${reader} ${draft.publishedAt} ${draft.expiresAt}`
    return foldedTexts(knownOf(draft.recordId), variant, () => {
      const { title, category, author, contentHtml } = draft.make()
      return [title, `${category}\n${author}`, textIn(contentHtml)]
    })
  }
}

/** Matches the markup that sanitized HTML can contain. */
const markup = /<\/?([a-z\d]+)\b[^<>]*>|&(amp|lt|gt|quot);/g

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text in sanitized HTML, much faster than `plainTextFromHtml`. */
export function textIn(html: string): string {
  return html.replace(markup, (_found, element: string | undefined, name: string) =>
    element === undefined ? (characters[name] ?? '') : isBlock(element) ? ' ' : '',
  )
}
