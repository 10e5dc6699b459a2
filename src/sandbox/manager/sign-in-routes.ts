import { Router } from 'express'
import type { Pages } from './pages.ts'
import { managerPath, signInPath, signOutPath } from './paths.ts'
import { cookieName, cookieOptions, formOf, sessionIdOf } from './requests.ts'
import type { Sessions } from './sessions.ts'

export function signInRoutes(sessions: Sessions, pages: Pages): Router {
  const router = Router({ caseSensitive: true, strict: true })

  router.get(signInPath, (_request, response) => void response.send(pages.signIn()))

  router.post(signInPath, (request, response) => {
    const outcome = sessions.signIn(formOf(request).get('password') ?? '')
    if (outcome.ok) {
      response.cookie(cookieName, outcome.id, cookieOptions)
      response.redirect(303, managerPath)
    } else if (outcome.reason === 'wrong') {
      response.status(403).send(pages.signIn('The password is incorrect.'))
    } else {
      response.status(429).send(pages.signIn('Too many attempts. Wait a minute.'))
    }
  })

  router.post(signOutPath, (request, response) => {
    sessions.end(sessionIdOf(request))
    response.clearCookie(cookieName, cookieOptions)
    response.redirect(303, signInPath)
  })

  return router
}
