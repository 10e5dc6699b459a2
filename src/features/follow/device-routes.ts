import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { minuteMs } from '../../clock.ts'
import { followChoiceSchema } from '../../followers/follower.ts'
import { addressFrom, readEndpoint, readSubscription } from '../../followers/push-subscription.ts'
import { languages, spokenLanguage } from '../../records/messages.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { viewerFrom } from '../../web/viewer.ts'
import type { Page } from '../../web/page-handler.ts'
import { requireSameOrigin } from '../../web/same-origin.ts'
import { BadOption, TooManyRequests, Unavailable } from '../../web/errors.ts'
import { allowForms } from '../../web/security-headers.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import { bodyReader } from '../../web/request-body.ts'
import { templates } from '../../web/templates.ts'
import { followMessages } from './messages.ts'

/** Burst and refill interval for adding a device or changing its choice, per client. */
export const deviceChanges = { burst: 20, oneMoreMs: 10 * minuteMs }

const fullText = 'Too many people follow this site. Try again tomorrow.'

/** A subscription has at most 2 kB. */
export const maxDeviceBytes = 8 * 1024

const readJson = bodyReader('json', 'application/json', maxDeviceBytes)

const worker = readFileSync(join(templates, 'follow/follow-worker.js'))

const kinds = followChoiceSchema.pick({ changes: true, tomorrow: true, emergency: true })

const wish = z.object({
  subscription: z.unknown().transform(readSubscription),
  choice: kinds.refine((choice) => Object.values(choice).includes(true)),
  language: z.enum(languages),
})

const limitChanges = ({ clock }: SiteContext) =>
  createClientLimit(clock, deviceChanges, 'too many saves')

const hasPush = ({ following }: SiteContext) => following?.pushKey !== undefined

const requirePush: RequestHandler = (_request, response, next) => {
  viewerFrom(response, 'form')
  next(hasPush(siteOf(response)) ? undefined : 'route')
}

const add: RequestHandler = async (request, response, next) => {
  const { following, kept } = siteOf(response)
  if (!following) return next()
  const { link } = viewerFrom(response, 'form')
  const { success, data } = wish.safeParse(request.body)
  if (!success || !data.subscription)
    throw new BadOption('The notifications of this browser cannot be used.')
  const { subscription, choice, language } = data
  const client = request.ip ?? ''
  kept(limitChanges)(client)
  const address = addressFrom(subscription)
  const wished = { address, choice, language, linkId: link?.link.id }
  const refused = await following.addDevice(wished, client)
  if (refused?.reason === 'full') throw new Unavailable(fullText, refused.retryAfterMs)
  if (refused) throw new TooManyRequests('too many saves', refused.retryAfterMs)
  response.status(204).end()
}

/** The endpoint is secret, so anyone who knows it may remove the device. */
const remove: RequestHandler = async (request, response, next) => {
  const { following, pageLimit } = siteOf(response)
  if (!following) return next()
  const { link } = viewerFrom(response, 'form')
  pageLimit(request.ip ?? '')
  const { endpoint } = (request.body ?? {}) as { readonly endpoint?: unknown }
  const known = readEndpoint(endpoint)
  if (known !== undefined) await following.followers.removeDevice(known, link?.link.id)
  response.status(204).end()
}

const readBody = [requireSameOrigin, requirePush, readJson]

/** Adds a device, or changes its choice. */
export const addDevice = [...readBody, add]

export const removeDevice = [...readBody, remove]

const sendWorkerFile: RequestHandler = (_request, response, next) => {
  if (!hasPush(siteOf(response))) return next()
  response.type('text/javascript').send(worker)
}

export const sendFollowWorker = [allowForms, sendWorkerFile]

/** On iPhones, only sites on the Home Screen can show notifications. */
export const sendManifest: RequestHandler = ({ path }, response, next) => {
  viewerFrom(response, 'file')
  const site = siteOf(response)
  if (!hasPush(site)) return next()
  const home = `${site.basePath}${path.replace(/follow\/app\.webmanifest$/, '')}`
  response.type('application/manifest+json')
  response.send(JSON.stringify(site.siteImages.appManifest(home)))
}

export const devicePage: Page = {
  async show({ context, render }) {
    const { language } = context.site
    const texts = followMessages(language)
    const device = { key: context.following?.pushKey, language: spokenLanguage(language) }
    return hasPush(context) ? render('follow/device', { texts, device }) : undefined
  },
}
