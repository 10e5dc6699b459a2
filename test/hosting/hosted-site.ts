import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createHostedSite, type SiteHost } from '../../src/hosting/hosted-site.ts'
import type { RunningSite } from '../../src/app/running-site.ts'
import type { NamedSite } from '../../src/config/sites-config.ts'
import type { ServiceStatus } from '../../src/representations/service-status.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { waitFor } from '../support/wait-for.ts'

export const settingsAt = (publicUrl: string, site: object = {}) =>
  ({ name: 'ashton', config: { publicUrl, site } }) as unknown as NamedSite

export const first = settingsAt('https://feeds.example/ashton')
export const second = settingsAt('https://ashton.example')

/** Creates a hosted site and records calls to it. The test controls how it starts. */
export function siteOf(isAlone = false) {
  const clock = createFakeClock()
  const noted: string[] = []
  const attempts: (PromiseWithResolvers<void> & { readonly host: SiteHost })[] = []
  const responses: ServerResponse[] = []
  let revision = 0
  let confirmed = Promise.resolve()

  function runningSite(prefix: string, host: SiteHost, revisionBefore: number): RunningSite {
    return {
      abort: () => void noted.push(`${prefix} stops waiting`),
      hasLatestSettings: async () => revision === revisionBefore,
      http: {
        used: () => undefined,
        resume: () => void noted.push('resumed'),
        listener: (_request, response) => void responses.push(response),
        metrics: { figures: () => Promise.reject(new Error('not asked for')) },
      },
      status: async () =>
        host.withFault({ ok: true, state: 'ok', sentences: [prefix] } as unknown as ServiceStatus),
      addLink: async () => prefix,
      async [Symbol.asyncDispose]() {
        noted.push(`${prefix} disposed`)
      },
    }
  }

  const site = createHostedSite(first, {
    isAlone,
    replaced: () => void noted.push('replaced'),
    startNext: () => void noted.push('next'),
    front: {
      expire: () => undefined,
      remove: () => void noted.push('removed'),
      restart: () => undefined,
      lost: () => void noted.push('removed here'),
      onUse: () => undefined,
      done: () => confirmed,
    },
    async startSite(_settings, host) {
      const attempt = Object.assign(Promise.withResolvers<void>(), { host })
      const number = attempts.push(attempt)
      const revisionRead = revision
      await attempt.promise
      return runningSite(`site ${number}`, host, revisionRead)
    },
    clock,
    random: () => 1,
    log: createLogger('silent'),
  })

  /** Begins starting the site. */
  async function begin() {
    const started = site.start()
    await clock.advance(0)
    return { started }
  }

  async function started(): Promise<SiteHost> {
    const starting = await begin()
    attempts[0]?.resolve()
    await starting.started
    if (!attempts[0]) throw new Error('the site has not started')
    noted.length = 0
    return attempts[0].host
  }

  /** Changes the settings in the sites file. Resolves once the site starts with them. */
  async function change(settings: NamedSite): Promise<void> {
    const count = attempts.length + 1
    site.change(settings)
    await waitFor(() => expect(attempts).toHaveLength(count))
  }

  /** Changes the settings in the sites file, and lets the site start with them. */
  async function replace(settings: NamedSite): Promise<void> {
    await change(settings)
    attempts.at(-1)?.resolve()
    await waitFor(() => expect(site.publicUrl).toBe(settings.config.publicUrl))
  }

  /** Makes the first attempt to start the site fail. */
  async function failed(): Promise<void> {
    const starting = await begin()
    attempts[0]?.reject(new Error('no store'))
    await starting.started
  }

  function asked(headers: IncomingHttpHeaders = {}, url = '/events.ics'): ServerResponse {
    const request = Object.assign(new IncomingMessage(new Socket()), { url })
    Object.assign(request.headers, headers)
    const response = new ServerResponse(request)
    site.listener(request, response)
    return response
  }

  onTestFinished(async () => {
    for (const attempt of attempts) attempt.resolve()
    await site[Symbol.asyncDispose]()
  })
  return {
    clock,
    noted,
    attempts,
    responses,
    site,
    begin,
    started,
    failed,
    change,
    replace,
    asked,
    /** Stores other settings, as an admin does. */
    store: () => void (revision += 1),
    /** Keeps the front from confirming anything until the promise resolves. */
    confirmAfter: (promise: Promise<void>) => void (confirmed = promise),
  }
}
