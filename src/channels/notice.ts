import { z } from 'zod'
import { defaultLanguage } from '../records/language.ts'
import { noticeMessages } from './messages.ts'

const noticeLine = z.object({ text: z.string(), url: z.string().optional() })

export type NoticeLine = Readonly<z.infer<typeof noticeLine>>

/** A message for people or programs, independent of the way it is sent. */
export const noticeSchema = z.object({
  /** Unique, so that receivers can detect duplicates. Consists of letters, digits and hyphens. */
  id: z.string(),
  /** Groups related messages in a mail program. */
  thread: z.string(),
  /** Kind of message, for programs: `alert.opened`, `changes`, ... */
  type: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Language of a message to readers. Messages to the webmaster are in English. */
  language: z.string().optional(),
  /** Plain text, like everything below. */
  siteName: z.string(),
  title: z.string(),
  lines: z.array(noticeLine).readonly(),
  /** Page with more information. */
  url: z.string(),
  /** The same content for programs. */
  data: z.looseObject({}),
})

export type Notice = Readonly<z.infer<typeof noticeSchema>>

/** Result of sending a message. The reason is a few words without secrets. */
export type Delivery =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly reason: string
      /** True if the receiver will never accept this message. */
      readonly isPermanent: boolean
      readonly retryAfterMs?: number | undefined
    }

export type Receiver<Message> = {
  /** Identifies the receiver in the store. Contains no secrets. */
  readonly id: string
  /** Name of the receiver for operators. Contains no secrets. */
  readonly label: string
  readonly send: (message: Message, signal: AbortSignal) => Promise<Delivery>
}

export type Channel = Receiver<Notice> & {
  /**
   * Identifies the receiver across all sites. Contains no secrets. Undefined for programs, whose
   * messages are never combined.
   */
  readonly receiver?: string | undefined
}

/** Sends a message through a channel, possibly together with messages from other sites. */
export type SendNotice = (
  channel: Channel,
  ...message: Parameters<Channel['send']>
) => Promise<Delivery>

export const maxLines = 25
const maxLineLength = 600

export function messagesFor({ language = defaultLanguage }: Notice) {
  return noticeMessages(language)
}

export function boundedLines(notice: Notice, maxLength = maxLineLength): readonly NoticeLine[] {
  const { lines } = notice
  const shown = lines
    .slice(0, maxLines)
    .map((line) => ({ ...line, text: cut(line.text, maxLength) }))
  const more = lines.length - shown.length
  return more > 0 ? [...shown, { text: messagesFor(notice).moreLines(more) }] : shown
}

/** Truncates text to a length in UTF-16 code units, without splitting a character. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, '')}…`
}
