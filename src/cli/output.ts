import type { Writable } from 'node:stream'

/** Standard output or standard error of a command. */
export type Output = {
  /** Writes a message. Control characters in it have no effect on the terminal. */
  readonly write: (text: string) => void
  /** For files, and for text that controls the terminal. */
  readonly stream: Writable
}

/** Characters that control a terminal or reorder its text, other than tabs and line breaks. */
const controls = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/**
 * Creates an output that replaces control characters in messages with escapes such as `\u001b`,
 * because text from a website or a file may contain them. In JSON, the escapes have the same meaning.
 */
export function createOutput(stream: Writable): Output {
  return { stream, write: (text) => void stream.write(text.replaceAll(controls, escapeOf)) }
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns false for a file, a pipe or a container's log. */
export function isTerminal({ stream }: Output): boolean {
  return (stream as Partial<NodeJS.WriteStream>).isTTY === true
}
