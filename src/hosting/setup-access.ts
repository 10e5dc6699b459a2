import { randomBytes, randomInt } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { minuteMs, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { TooManyRequests } from '../web/errors.ts'
import { formOf } from '../web/forms.ts'
import { isFromOwnPage } from '../web/same-origin.ts'
import { sendMessage } from '../web/send-message.ts'
import { cookieFrom, isSameText } from '../web/sessions.ts'
import { createTryLimit, type TryLimits } from '../web/try-limit.ts'

export const codeTries: TryLimits = {
  windowMs: minuteMs,
  ofClient: 5,
  ofNetwork: 15,
  ofAll: 30,
  maxWaitMs: 8_000,
}

/** Without letters and digits that look alike. */
const codeCharacters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 10

const sessionBytes = 20

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

const cookie = { name: 'feedhouse-setup' }

export type SetupAccessOptions = {
  /** URL of the page, as far as it is known. */
  readonly publicUrl: string
  /** True if browsers on this machine need no code. */
  readonly isOpenLocally: boolean
  /** Prints a code that opens the page in one browser. */
  readonly announce: (code: string) => void
  readonly clock: Clock
  readonly log: Logger
}

/** Opens the setup page to browsers on this machine, or with a code that works in one browser. */
export function createSetupAccess(
  options: SetupAccessOptions,
  basePath: string,
  codePage: (fault: string) => string,
) {
  const { isOpenLocally, announce, clock, log } = options
  const tries = createTryLimit({ name: 'setup codes', limits: codeTries, clock })
  /** Each one required a code, so there are few. */
  const sessions = new Set<string>()
  let code = newCode()
  announce(code)

  const isAllowed = (request: Request) =>
    (isOpenLocally && isDirect(request.headers)) || sessions.has(cookieFrom(request, cookie))

  const require: RequestHandler = (request, response, next) => {
    if (isAllowed(request)) return next()
    response.status(request.method === 'POST' ? 403 : 200).send(codePage(''))
  }

  const enter: RequestHandler = async (request, response) => {
    const { ip: address = '' } = request
    const attempt = await tries.begin(address)
    if (!attempt.ok) throw new TooManyRequests('too many sign-ins', attempt.retryAfterMs)
    if (!isSameText(bareCode(formOf(request).get('code') ?? ''), bareCode(code))) {
      log.warn({ address }, 'a wrong setup code was entered')
      response.status(403).send(codePage('Wrong code. Copy the code from the end of the log.'))
      return
    }
    await attempt.succeeded()
    code = newCode()
    const session = randomBytes(sessionBytes).toString('base64url')
    sessions.add(session)
    log.info({ address }, 'the setup code was entered')
    announce(code)
    response.cookie(cookie.name, session, {
      httpOnly: true,
      sameSite: 'strict',
      secure: request.protocol === 'https',
      path: `${basePath}/`,
    })
    response.redirect(303, `${basePath}/`)
  }

  const requireOwnOrigin: RequestHandler = ({ headers }, response, next) => {
    if (isFromOwnPage(headers, options.publicUrl)) return next()
    sendMessage(response, 403, 'This form was submitted from a page at another address.')
  }

  return { require, enter, requireOwnOrigin }
}

/**
 * Returns true for a browser's request to a loopback address that no proxy has forwarded. By
 * default, nginx adds no headers and replaces the host, but unlike browsers, it does not keep the
 * connection alive.
 */
function isDirect(headers: IncomingHttpHeaders): boolean {
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? ''
  const isKept = headers.connection?.toLowerCase() === 'keep-alive'
  return isLoopback(name) && isKept && !proxyHeaders.some((header) => header in headers)
}

export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
}

function newCode(): string {
  const letters = Array.from(
    { length: codeLength },
    () => codeCharacters[randomInt(codeCharacters.length)] ?? '',
  )
  return `${letters.slice(0, codeLength / 2).join('')}-${letters.slice(codeLength / 2).join('')}`
}

/** Ignores case, hyphens and spaces. */
const bareCode = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
