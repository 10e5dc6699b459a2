import type { Notice } from './notice.ts'

/** How a service reports the result of a request. */
export type AnswerReader = {
  /** Returns true if the message was delivered. By default, any 2xx status means that it was. */
  readonly isDelivered?: (answer: Answer) => boolean
  /** Returns the value of Retry-After for services that use another field with status 429. */
  readonly retryAfter?: (answer: Answer) => string | null | undefined
}

/** A kind of service that gets messages. A URL in the settings contains everything it needs. */
export type ChannelKind = AnswerReader & {
  /** Prefix of the URL in the settings. */
  readonly name: string
  /** Name of the service. */
  readonly label: string
  /** URL in the settings, without the prefix. */
  readonly example: string
  /** Hosts whose URLs need no prefix. */
  readonly hosts?: readonly string[]
  /** True if programs get the messages. They are never combined with those of other sites. */
  readonly isForPrograms?: true
  /** True if anyone can read the messages. Alerts must not be posted there. */
  readonly isPublic?: true
  /** True if the URL may contain a user name or password. */
  readonly hasCredentials?: true
  /** Returns what is wrong with a URL, as the end of a sentence that starts with the service. */
  readonly faultOf?: (url: URL) => string | undefined
  /** Resolves to the last response. May keep a session for the receiver. */
  readonly send: (notice: Notice, receiver: Receiver, call: Call) => Promise<Answer>
}

export type Receiver = {
  /** Contains no user name and no password. */
  readonly url: URL
  readonly user: string
  readonly password: string
  /** Signs messages to programs. */
  readonly secret: string | undefined
  readonly now: () => number
}

export type Call = (request: ChannelRequest) => Promise<Answer>

export type ChannelRequest = {
  readonly url: string | URL
  /** POST by default. */
  readonly method?: 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly json: object
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  /** Start of the body. */
  readonly text: string
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
