import fc from 'fast-check'

/** Generates any character except half surrogates. Preparing the unit `binary` would take a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))

/**
 * Generates text with arbitrary characters, line breaks, and sequences that could break iCalendar,
 * HTML or line folding. Excludes U+FFFD, which would indicate lost characters.
 */
export const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\ufffd', '')),
  fc.constantFrom(
    'a\r\nATTENDEE:mailto:x@example.org',
    'a\nBEGIN:VEVENT\nEND:VEVENT',
    'é'.repeat(90),
    '👩‍🚒'.repeat(30),
    `${'x'.repeat(73)}é`,
    '\ud83d lone \ude92',
    '\\;,"^\n\\n\\',
    '<b>bold</b>&amp;&#1;&#xD;&#10;<script>alert(1)</script>',
    '\0\u0008\u000b\u007f\u0085\u2028\ufeff',
    '\u202egnihtyreve\u202c',
  ),
)
