import type { Request, Response } from 'express'
import { allowForms } from './security-headers.ts'
import { ownErrorHeaders } from '../front/starting.ts'
import { inEnglish, type ErrorText } from './errors.ts'
import type { RenderPage } from './templates.ts'

/** Statuses that make a screen delete its stored content. */
const endedStatuses = [404, 410]

/** Returns a function that renders pages in a URL's language. */
export type RenderFor = (url: string) => RenderPage

/** Returns true for clients that prefer pages, unlike programs. */
export const isBrowser = ({ headers }: Request) => headers.accept?.includes('text/html') === true

/** Sends a message, as a page to browsers and as plain text to other clients. */
export function sendMessage(response: Response, status: number, text: string | ErrorText): void {
  const { locals, req } = response
  const renderFor = locals['renderFor'] as RenderFor | undefined
  const isPage = isBrowser(req)
  response.status(status).set('Cache-Control', 'no-store').vary('Accept')
  if (status >= 500) response.set(ownErrorHeaders)
  // The `Refresh` header makes unattended screens retry.
  const seconds =
    response.get('Retry-After') ?? (response.hasHeader('Board-Time') ? '300' : undefined)
  if (isPage && seconds !== undefined) response.set('Refresh', seconds)
  const scriptPath: unknown = endedStatuses.includes(status) ? locals['endedScript'] : undefined
  if (isPage && typeof scriptPath === 'string') allowForms(req, response, () => undefined)
  if (isPage && renderFor) {
    response.type('html').send(renderFor(req.originalUrl)('sentence', { text, scriptPath }))
  } else response.type('text/plain').send(`${inEnglish(text)}\n`)
}
