import type { RequestHandler } from 'express'
import { siteOf } from './context.ts'
import { sendMessage } from './send-message.ts'
import { pageMessages } from './messages.ts'

/** The origin that the browser sends must be that of the public URL or of the request. */
export const requireSameOrigin: RequestHandler = ({ headers }, response, next) => {
  const { origin, host } = headers
  const { publicUrl, language } = siteOf(response).site
  const isOwn =
    origin === undefined ||
    origin === new URL(publicUrl).origin ||
    (URL.canParse(origin) && new URL(origin).host === host)
  if (isOwn) return next()
  sendMessage(response, 403, pageMessages(language).follow.common.otherOrigin)
}
