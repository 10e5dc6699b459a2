/** Invisible characters that pasted text can add to a setting. */
const invisible = /[\u00A0\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

const names: Readonly<Record<string, string>> = {
  '\u00A0': 'no-break space',
  '\u00AD': 'soft hyphen',
  '\u200B': 'zero-width space',
  '\u2060': 'word joiner',
  '\uFEFF': 'byte order mark',
}

export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, (character) => (character === '\u00A0' ? ' ' : ''))
}

/** Describes the first invisible character, as the end of a sentence about a setting. */
export function invisibleFault(text: string): string | undefined {
  const index = text.search(invisible)
  if (index < 0) return undefined
  const character = text.charAt(index)
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  const name = names[character] ?? 'text direction mark'
  const before = text.slice(0, index).split('\n')
  const position = `character ${(before.at(-1)?.length ?? 0) + 1}`
  const place = text.trim().includes('\n') ? `line ${before.length}, ${position}` : position
  return `contains an invisible character, ${code} (${name}), as ${place}: delete it, or type the text instead of pasting it`
}
