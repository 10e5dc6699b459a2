const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers turn a bare carriage return into a line feed.
  '\r': '&#13;',
}

/** Escapes text for XML, without the characters that XML 1.0 does not allow. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? '')
}
