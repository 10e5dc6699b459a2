import { Router, type Request, type Response } from 'express'
import { DateTime } from 'luxon'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

/** A refresh token is valid for a year. */
const maxAge = { days: 366 }

const dateFault =
  'Enter the day on which the refresh token was created or last regenerated, at most a year ago.'

/** Shows the status page, with a notice. */
export type ShowStatus = (request: Request, response: Response, notice?: string) => Promise<void>

/** Serves the buttons about messages on the status page. */
export function messageRoutes(
  { actions: { messages }, site, audit, home, clock }: AdminContext,
  showStatus: ShowStatus,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.post('/messages/test', async (request, response) => {
    await messages.sendTest()
    audit(request, 'test message sent')
    home(response, '/status?done=tested#messages')
  })
  router.post('/refresh-token', async (request, response) => {
    const { timeZone: zone } = site
    const day = DateTime.fromISO(formOf(request).get('created') ?? '', { zone })
    const today = DateTime.fromMillis(clock.now(), { zone })
    if (!day.isValid || day > today || day < today.minus(maxAge)) {
      return showStatus(request, response.status(400), dateFault)
    }
    await messages.setRefreshTokenCreation(day.toMillis())
    audit(request, 'date of the refresh token saved')
    home(response, '/status')
  })
  return router
}
