import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { minuteMs } from '../../clock.ts'
import { followChoiceSchema } from '../../followers/follower.ts'
import { addressFrom, readEndpoint, readSubscription } from '../../followers/push-subscription.ts'
import { languages, spokenLanguage } from '../../records/messages.ts'
import type { SiteContext } from '../context.ts'
import { prefixes, viewerFrom } from '../feeds/viewer.ts'
import { pageRoutes } from '../pages/page-handler.ts'
import { requireSameOrigin } from '../pages/same-origin.ts'
import { BadOption, TooManyRequests, Unavailable } from '../responses/errors.ts'
import { allowForms } from '../responses/security-headers.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { bodyReader } from '../server/request-body.ts'
import { deleteRoute, getRoute, postRoute, type Route } from '../server/shared-router.ts'
import { templates } from '../templates.ts'
import { followMessages } from './messages.ts'

/** Burst and refill interval for adding a device or changing its choice, per client. */
export const deviceChanges = { burst: 20, oneMoreMs: 10 * minuteMs }

const fullText = 'Too many people follow this site. Try again tomorrow.'

/** A subscription has at most 2 kB. */
export const maxDeviceBytes = 8 * 1024

const readJson = bodyReader('json', 'application/json', maxDeviceBytes)

const worker = readFileSync(join(templates, 'follow-worker.js'))

const kinds = followChoiceSchema.pick({ changes: true, tomorrow: true, emergency: true })

const wish = z.object({
  subscription: z.unknown().transform(readSubscription),
  choice: kinds.refine((choice) => Object.values(choice).includes(true)),
  language: z.enum(languages),
})

/** Lets people turn on notifications on their device, publicly and under feed links. */
export function deviceRoutes(context: SiteContext): readonly Route[] {
  const { site, basePath, following, siteImages, pageLimit, clock } = context
  const hasPush = following?.pushKey !== undefined
  const limit = createClientLimit(clock, deviceChanges, 'too many saves')

  const requirePush: RequestHandler = (_request, response, next) => {
    viewerFrom(response, 'form')
    next(hasPush ? undefined : 'route')
  }

  const add: RequestHandler = async (request, response, next) => {
    if (!following) return next()
    const { link } = viewerFrom(response, 'form')
    const { success, data } = wish.safeParse(request.body)
    if (!success || !data.subscription)
      throw new BadOption('The notifications of this browser cannot be used.')
    const { subscription, choice, language } = data
    const client = request.ip ?? ''
    limit(client)
    const address = addressFrom(subscription)
    const wished = { address, choice, language, linkId: link?.link.id }
    const refused = await following.addDevice(wished, client)
    if (refused?.reason === 'full') throw new Unavailable(fullText, refused.retryAfterMs)
    if (refused) throw new TooManyRequests('too many saves', refused.retryAfterMs)
    response.status(204).end()
  }

  /** The endpoint is secret, so anyone who knows it may remove the device. */
  const remove: RequestHandler = async (request, response, next) => {
    if (!following) return next()
    const { link } = viewerFrom(response, 'form')
    pageLimit(request.ip ?? '')
    const { endpoint } = (request.body ?? {}) as { readonly endpoint?: unknown }
    const known = readEndpoint(endpoint)
    if (known !== undefined) await following.followers.removeDevice(known, link?.link.id)
    response.status(204).end()
  }

  const sendWorker: RequestHandler = (_request, response, next) => {
    if (!hasPush) return next()
    response.set('Cache-Control', 'no-cache').type('text/javascript').send(worker)
  }

  /** On iPhones, only sites on the Home Screen can show notifications. */
  const sendManifest: RequestHandler = ({ path }, response, next) => {
    viewerFrom(response, 'file')
    if (!hasPush) return next()
    const home = `${basePath}${path.replace(/follow\/app\.webmanifest$/, '')}`
    response.set('Cache-Control', 'no-cache').type('application/manifest+json')
    response.send(JSON.stringify(siteImages.appManifest(home)))
  }

  const readBody = [requireSameOrigin(site), requirePush, readJson]
  return [
    ...prefixes.flatMap((prefix) => [
      postRoute(`${prefix}/follow/device`, ...readBody, add),
      deleteRoute(`${prefix}/follow/device`, ...readBody, remove),
      getRoute(`${prefix}/follow/worker.js`, allowForms, sendWorker),
      getRoute(`${prefix}/follow/app.webmanifest`, sendManifest),
    ]),
    ...pageRoutes(context, [
      {
        path: '/follow/device',
        show: async ({ context, render }) => {
          const { language } = context.site
          const texts = followMessages(language)
          const device = { key: following?.pushKey, language: spokenLanguage(language) }
          return hasPush ? render('follow-device', { texts, device }) : undefined
        },
      },
    ]),
  ]
}
