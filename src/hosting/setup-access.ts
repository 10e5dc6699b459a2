import { randomBytes, randomInt } from 'node:crypto'
import type { RequestHandler } from 'express'
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

const cookie = { name: 'feedhouse-setup' }

export type SetupAccessOptions = {
  /** URL of the page, as far as it is known. */
  readonly publicUrl: string
  /** Prints a code that opens the page in one browser. `browsers` is how many have opened it. */
  readonly announce: (code: string, browsers: number) => void
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Opens the setup page with a code that works in one browser. Every browser needs one, even on this machine,
 * because a forwarded request can look like any other.
 */
export function createSetupAccess(
  options: SetupAccessOptions,
  basePath: string,
  codePage: (fault: string) => string,
) {
  const { announce, clock, log } = options
  const tries = createTryLimit({ name: 'setup codes', limits: codeTries, clock })
  /** Each one required a code, so there are few. */
  const sessions = new Set<string>()
  let code = newCode()
  announce(code, 0)

  const require: RequestHandler = (request, response, next) => {
    if (sessions.has(cookieFrom(request, cookie))) return next()
    response.status(request.method === 'POST' ? 403 : 200).send(codePage(''))
  }

  /** Only limits wrong codes, so that outsiders cannot lock out the operator. Guessing would take ages. */
  async function refuse(address: string): Promise<void> {
    const attempt = await tries.begin(address)
    if (!attempt.ok) throw new TooManyRequests('too many sign-ins', attempt.retryAfterMs)
    log.warn({ address }, 'a wrong setup code was entered')
  }

  const enter: RequestHandler = async (request, response) => {
    const { ip: address = '' } = request
    if (!isSameText(bareCode(formOf(request).get('code') ?? ''), bareCode(code))) {
      await refuse(address)
      response
        .status(403)
        .send(
          codePage(
            'This code is wrong or has been used. Copy the latest one from the terminal or log.',
          ),
        )
      return
    }
    code = newCode()
    const session = randomBytes(sessionBytes).toString('base64url')
    sessions.add(session)
    log.info({ address }, 'the setup code was entered')
    announce(code, sessions.size)
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

function newCode(): string {
  const letters = Array.from(
    { length: codeLength },
    () => codeCharacters[randomInt(codeCharacters.length)] ?? '',
  )
  return `${letters.slice(0, codeLength / 2).join('')}-${letters.slice(codeLength / 2).join('')}`
}

/** Ignores case, hyphens and spaces. */
const bareCode = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
