import type { Response } from 'express'
import { allowForms } from './security-headers.ts'
import { ownErrorHeaders } from '../server/starting.ts'
import type { RenderPage } from '../templates.ts'

/** Statuses that make a screen delete its stored content. */
const endedStatuses = [404, 410]

/** Sends a message, as a page to browsers and as plain text to other clients. */
export function sendMessage(response: Response, status: number, text: string): void {
  const { app, req } = response
  const render = app.locals['render'] as RenderPage | undefined
  const isBrowser = req.headers.accept?.includes('text/html') === true
  response.status(status).set('Cache-Control', 'no-store').vary('Accept')
  if (status >= 500) response.set(ownErrorHeaders)
  // The `Refresh` header makes unattended screens retry.
  const seconds =
    response.get('Retry-After') ?? (response.hasHeader('Board-Time') ? '300' : undefined)
  if (isBrowser && seconds !== undefined) response.set('Refresh', seconds)
  const scriptPath: unknown = endedStatuses.includes(status)
    ? response.locals['endedScript']
    : undefined
  if (isBrowser && typeof scriptPath === 'string') allowForms(req, response, () => undefined)
  if (isBrowser && render) response.type('html').send(render('sentence', { text, scriptPath }))
  else response.type('text/plain').send(`${text}\n`)
}
