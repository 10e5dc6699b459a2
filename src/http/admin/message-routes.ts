import { Router, type Request, type Response } from 'express'
import { DateTime } from 'luxon'
import type { MessageActions } from './messages.ts'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

/** A refresh token is valid for a year. */
const maxAge = { days: 366 }

const dateFault =
  'Enter the day on which the refresh token was created or last regenerated, at most a year ago.'

/** Serves the buttons about messages on the status page. */
export function messageRoutes(
  { audit, home }: AdminContext,
  options: {
    readonly actions: MessageActions
    readonly timeZone: string
    readonly now: () => number
    readonly showFault: (request: Request, response: Response, fault: string) => Promise<void>
  },
): Router {
  const { actions, timeZone, now, showFault } = options
  const router = Router({ caseSensitive: true, strict: true })
  router.post('/messages/test', async (request, response) => {
    await actions.sendTest()
    audit(request, 'test message sent')
    home(response, '/status?done=tested#messages')
  })
  router.post('/refresh-token', async (request, response) => {
    const day = DateTime.fromISO(formOf(request).get('created') ?? '', { zone: timeZone })
    const today = DateTime.fromMillis(now(), { zone: timeZone })
    if (!day.isValid || day > today || day < today.minus(maxAge)) {
      return showFault(request, response, dateFault)
    }
    await actions.setRefreshTokenCreation(day.toMillis())
    audit(request, 'date of the refresh token saved')
    home(response, '/status')
  })
  return router
}
