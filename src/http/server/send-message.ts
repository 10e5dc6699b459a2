import type { Response } from 'express'
import { allowForms } from './security-headers.ts'
import { ownErrorHeaders } from './starting.ts'
import type { RenderPage } from '../templates.ts'

/** Statuses of what has ended, where a screen removes what it keeps. */
const hasEnded = [404, 410]

/** Sends one sentence: as a page to browsers, else as plain text. */
export function sendMessage(response: Response, status: number, text: string): void {
  const { app, req } = response
  const render = app.locals['render'] as RenderPage | undefined
  const isBrowser = req.headers.accept?.includes('text/html') === true
  response.status(status).set('Cache-Control', 'no-store').vary('Accept')
  if (status >= 500) response.set(ownErrorHeaders)
  // Unattended screens must recover by themselves.
  const seconds =
    response.get('Retry-After') ?? (response.hasHeader('Board-Time') ? '300' : undefined)
  if (isBrowser && seconds !== undefined) response.set('Refresh', seconds)
  const scriptPath: unknown = hasEnded.includes(status) ? response.locals['endedScript'] : undefined
  if (isBrowser && typeof scriptPath === 'string') allowForms(req, response, () => undefined)
  if (isBrowser && render) response.type('html').send(render('sentence', { text, scriptPath }))
  else response.type('text/plain').send(`${text}\n`)
}
