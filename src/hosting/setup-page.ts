import type { RequestListener } from 'node:http'
import express, { Router, type RequestHandler, type Response } from 'express'
import { every, type Clock } from '../clock.ts'
import { ConfigError } from '../config/config-error.ts'
import { identityFrom } from '../feeds/identity.ts'
import type { Rejections } from '../front/rejections.ts'
import { unavailable } from '../front/starting.ts'
import type { Logger } from '../log.ts'
import { StoreError } from '../store/store-error.ts'
import { createAssets, type Assets } from '../web/assets.ts'
import { errorHandler } from '../web/error-handler.ts'
import { fieldsFrom, formOf, readForm } from '../web/forms.ts'
import { allowForms, keepPrivate, securityHeaders } from '../web/security-headers.ts'
import { createRenderPage } from '../web/templates.ts'
import { trustProxies } from '../web/trust-proxies.ts'
import { basePathOf } from '../web/urls.ts'
import { createSetupAccess, type SetupAccessOptions } from './setup-access.ts'

/** Keeps proxies from closing the connection while a check waits for the website. */
const keepAliveMs = 5_000

/** Settings that the page asks for, with the labels of its fields. */
export const setupFields = {
  SITE_URL: 'Website',
  SITE_REFRESH_TOKEN: 'Refresh token',
  SITE_NAME: 'Name',
  SITE_TIME_ZONE: 'Time zone',
  PUBLIC_URL: 'Public URL',
} as const

export type SetupField = keyof typeof setupFields

/** Entered values. Missing and unchanged settings are empty. */
export type Entered = Readonly<Record<SetupField, string>>

export const setupFieldNames = Object.keys(setupFields) as SetupField[]

/** Settings that the form requires, with the messages if they are missing. */
const required: Partial<Record<SetupField, string>> = {
  SITE_URL: 'Enter the address of the website.',
  SITE_REFRESH_TOKEN: 'Enter the refresh token of the API Project.',
  SITE_TIME_ZONE: 'Enter the time zone of the website, like America/New_York.',
}

type Finding = { readonly ok: boolean; readonly sentence: string }

export type SetupOptions = SetupAccessOptions & {
  readonly settingsFile: string
  readonly initial: Entered
  /** Settings in the environment, which the page cannot change. */
  readonly fixed: readonly SetupField[]
  /** True if the token is in the environment, so that only this one can be entered. */
  readonly isTokenFixed: boolean
  /** Returns one sentence for each invalid setting, starting with the setting's name. */
  readonly faultsOf: (entered: Entered) => readonly string[]
  readonly check: (entered: Entered) => AsyncIterable<Finding>
  /** Throws a `ConfigError` if the file cannot be written. */
  readonly save: (entered: Entered) => void
  readonly proxies: number
  readonly rejections: Rejections
}

/** Page that asks for the settings of a website, checks and saves them. */
export function createSetupPage(options: SetupOptions) {
  const { publicUrl, settingsFile, fixed, initial, isTokenFixed, clock, log } = options
  const basePath = basePathOf({ publicUrl })
  const home = `${basePath}/`
  const assets = createAssets(basePath, identityFrom({}, 'Feedhouse'))
  const render = createRenderPage({
    basePath,
    asset: assets.pathOf,
    fields: setupFields,
    settingsFile,
    fixed,
    isTokenFixed,
    zones: Intl.supportedValuesOf('timeZone'),
  })
  const { promise: saved, resolve } = Promise.withResolvers<void>()
  const access = createSetupAccess(options, basePath, (fault) =>
    render('hosting/setup-code', { fault }),
  )
  let isChecking = false
  /** Requests that arrive after the settings are saved, and wait for the service. */
  const waiting: Parameters<RequestListener>[] = []
  let isSaved = false
  const tokens = createTokenMemory()

  function formFor(entered: Entered, faults: readonly string[] = [], canSkip = false): object {
    const tokenIsKept = tokens.tokenFor(entered.SITE_URL) !== undefined
    return { entered, faults: faults.map(inField), canSkip, tokenIsKept }
  }

  const showForm: RequestHandler = (_request, response) => {
    response.send(render('hosting/setup', formFor(initial)))
  }

  const submit: RequestHandler = async (request, response) => {
    const sent = formOf(request)
    const entered = enteredFrom(sent, initial, fixed)
    entered.SITE_REFRESH_TOKEN ||= tokens.tokenFor(entered.SITE_URL) ?? ''
    const faults = isChecking
      ? ['Another check is running, possibly in another window. Wait until it is done.']
      : faultsIn(entered, options)
    const { SITE_URL: url, SITE_REFRESH_TOKEN: token } = entered
    const isUsable = !faults.some((fault) => fault.startsWith('SITE_REFRESH_TOKEN '))
    if (token !== '') tokens.keep(isUsable ? { url, token } : undefined)
    if (faults.length > 0) {
      response.status(400).send(render('hosting/setup', formFor(entered, faults)))
      return
    }
    isChecking = true
    try {
      await checkAndSave(entered, response, sent.has('skip'))
    } finally {
      isChecking = false
    }
  }

  async function checkAndSave(entered: Entered, response: Response, skips: boolean) {
    response.set('X-Accel-Buffering', 'no').type('html')
    response.write(render('hosting/setup-findings', { skips, url: entered.SITE_URL }))
    const findings = skips ? [] : options.check(entered)
    const isFine = await sendFindings(findings, () => options.save(entered), {
      send: (finding) => void response.write(render('hosting/setup-finding', finding)),
      keepAlive: () => void response.write('\n'),
      clock,
      log,
    })
    const shown = isFine ? {} : formFor(entered, [], true)
    response.end(render('hosting/setup-end', { isDone: isFine, ...shown }))
    if (!isFine) return
    isSaved = true
    log.info({ file: settingsFile }, 'the settings are saved')
    resolve()
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.use([home, `${home}setup`], allowForms, keepPrivate)
  router.post(`${home}setup/code`, readForm, access.requireOwnOrigin, access.enter)
  router.get(home, access.require, showForm)
  router.post(`${home}setup`, readForm, access.requireOwnOrigin, access.require, submit)
  router.get([`${home}setup`, `${home}setup/code`], (_request, response) =>
    response.redirect(303, home),
  )
  const handler = applicationWith(router, { basePath, assets, ...options })

  const listener: RequestListener = (request, response) => {
    if (isSaved) waiting.push([request, response])
    else handler(request, response)
  }

  return {
    listener,
    /** Resolves once the settings are saved. Requests then wait for `release`. */
    saved,
    release(to: RequestListener) {
      for (const request of waiting.splice(0)) to(...request)
    },
  }
}

type EnteredToken = { readonly url: string; readonly token: string }

/**
 * Remembers the last token entered, which need not be entered again for the same website. For any other,
 * it would be sent to a server that it is not for.
 */
function createTokenMemory() {
  let kept: EnteredToken | undefined
  return {
    tokenFor: (url: string) => (kept?.url === url ? kept.token : undefined),
    keep(entered: EnteredToken | undefined) {
      kept = entered
    },
  }
}

/** Returns the field of a fault, and its sentence with the field's label. */
function inField(fault: string) {
  const name = setupFieldNames.find((each) => fault.startsWith(`${each} `))
  return { name, text: name ? setupFields[name] + fault.slice(name.length) : fault }
}

function faultsIn(entered: Entered, { fixed, faultsOf }: SetupOptions): readonly string[] {
  const missing = setupFieldNames.flatMap((name) => {
    const isKnown = entered[name] !== '' || fixed.includes(name)
    return isKnown ? [] : (required[name] ?? [])
  })
  return missing.length > 0 ? missing : faultsOf(entered)
}

/**
 * Sends each finding right away, and saves the settings if there is no fault. Resolves to false if there is
 * a fault.
 */
async function sendFindings(
  findings: AsyncIterable<Finding> | readonly Finding[],
  save: () => void,
  {
    send,
    keepAlive,
    clock,
    log,
  }: {
    readonly send: (finding: Finding) => void
    readonly keepAlive: () => void
    readonly clock: Clock
    readonly log: Logger
  },
): Promise<boolean> {
  const running = new AbortController()
  const alive = every(clock, keepAliveMs, running.signal, keepAlive)
  let isFine = true
  try {
    for await (const finding of findings) {
      if (!finding.ok) isFine = false
      send(finding)
    }
    if (isFine) save()
  } catch (error) {
    isFine = false
    send({ ok: false, sentence: sentenceFrom(error, log) })
  } finally {
    running.abort()
    await alive
  }
  return isFine
}

function sentenceFrom(error: unknown, log: Logger): string {
  if (error instanceof ConfigError || error instanceof StoreError) return error.message
  log.error({ err: error }, 'the settings could not be checked')
  return 'The check failed. See the log for the reason.'
}

/** Returns an application with the page's routes. Everything else gets status 503. */
function applicationWith(
  router: Router,
  {
    basePath,
    assets,
    proxies,
    rejections,
    log,
  }: Pick<SetupOptions, 'proxies' | 'rejections' | 'log'> & {
    readonly basePath: string
    readonly assets: Assets
  },
): RequestListener {
  const handler = express()
  handler.disable('x-powered-by')
  trustProxies(handler, proxies)
  handler.use(securityHeaders())
  handler.get(`${basePath}/assets/:file`, assets.send)
  handler.use(router)
  handler.get(`${basePath}/readyz`, sendUnready)
  // After status 503, apps keep the data they have, for example if the settings were lost.
  handler.use(unavailable(60, 'Feedhouse is not set up yet.'))
  handler.use(errorHandler(log, rejections.report))
  return handler
}

function enteredFrom(
  sent: URLSearchParams,
  initial: Entered,
  fixed: readonly SetupField[],
): Record<SetupField, string> {
  const fields = fieldsFrom(sent, ...setupFieldNames)
  const entered = setupFieldNames.map((name) => {
    const text = fields[name].replaceAll(/\s+/g, ' ').trim()
    return [
      name,
      fixed.includes(name) ? initial[name] : name === 'SITE_URL' ? originIn(text) : text,
    ]
  })
  return Object.fromEntries(entered)
}

/** Returns the origin of an https address, which may lack `https://`, or else the text. */
function originIn(text: string): string {
  const url = URL.parse(/^[a-z]+:/i.test(text) || text === '' ? text : `https://${text}`)
  return url?.protocol === 'https:' && url.username === '' ? url.origin : text
}

const sendUnready: RequestHandler = (_request, response) => {
  response.status(503).json({ ready: false, waitingFor: ['setup'] })
}
