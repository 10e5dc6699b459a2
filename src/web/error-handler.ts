import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { CollectionUnavailable } from '../collections/collection.ts'
import type { Logger } from '../log.ts'
import { NoImage } from '../pictures/image-library.ts'
import { PicturesBusy } from '../pictures/picture-source.ts'
import { RenderingBusy } from '../representations/render-queue.ts'
import { StoreError } from '../store/store-error.ts'
import {
  BadOption,
  LinkClosed,
  PrivateFeed,
  TooManyRequests,
  Unavailable,
  type ErrorText,
} from './errors.ts'
import type { Rejection, Rejections } from '../front/rejections.ts'
import { sendMessage, type RenderFor } from './send-message.ts'

const busyRetryMs = 5_000
const storeRetryMs = 10_000

export function errorHandler(log: Logger, report: Rejections['report']): ErrorRequestHandler {
  return (error, request, response, next) => {
    const { method, ip: address } = request
    const { requestId: id } = response.locals
    const refuse = (reason: Rejection) => {
      report(reason, { id, address })
      response.locals['isRefused'] = true
    }
    const sendBusy = (retryMs: number, text: string | ErrorText) =>
      sendMessage(retryAfter(response, retryMs), 503, text)
    if (response.headersSent) return next(error)
    if (error instanceof BadOption) return sendMessage(response, 400, error.message)
    if (error instanceof LinkClosed) return sendClosed(response, error)
    if (error instanceof PrivateFeed) return sendMessage(response, 403, error.text)
    if (error instanceof TooManyRequests) {
      refuse(error.refusal)
      return sendMessage(retryAfter(response, error.retryAfterMs), 429, error.text)
    }
    if (error instanceof RenderingBusy) {
      refuse('too much to render')
      return sendBusy(busyRetryMs, ({ isBusy }) => isBusy)
    }
    if (error instanceof NoImage && error.kind === 'unsupported') {
      return sendMessage(response, 501, ({ drawsNoPictures }) => drawsNoPictures)
    }
    if (error instanceof NoImage && error.kind === 'crashed') {
      log.error({ id, err: error, method }, 'failed to draw a picture')
      return sendBusy(busyRetryMs, ({ failed }) => failed(id))
    }
    if (error instanceof PicturesBusy || error instanceof NoImage) {
      return sendBusy(busyRetryMs, ({ picturesBusy }) => picturesBusy)
    }
    if (error instanceof CollectionUnavailable && error.kind === 'not allowed') {
      // Some calendar clients keep their entries only on 404, and some readers pause all our feeds on 503.
      return sendMessage(response, 404, ({ isSwitchedOff }) => isSwitchedOff)
    }
    if (error instanceof CollectionUnavailable) {
      return sendBusy(error.retryAfterMs, ({ unread }) => unread)
    }
    if (error instanceof Unavailable) return sendBusy(error.retryAfterMs, error.text)
    if (error instanceof StoreError) {
      log.warn({ id, err: error }, 'request failed because of a store error')
      const isFull = error.kind === 'disk full' || error.kind === 'full'
      return sendBusy(storeRetryMs, ({ isStoreFull, storeFailed }) =>
        isFull ? isStoreFull : storeFailed,
      )
    }
    if (isClientError(error)) {
      return sendMessage(response, error.status, ({ invalid }) => invalid)
    }
    log.error({ id, err: error, method }, 'request failed')
    return sendMessage(response, 500, ({ failed }) => failed(id))
  }
}

const sendNotFound = (response: Response) =>
  sendMessage(response, 404, ({ notFound: text }) => text)

export const notFound: RequestHandler = (_request, response) => sendNotFound(response)

function sendClosed(response: Response, { kind, closed }: LinkClosed): void {
  if (kind === 'form' || !closed) return sendMessage(response, 403, ({ isClosed }) => isClosed)
  const { state, notice } = closed
  const isPaused = state === 'paused'
  if (kind === 'file') return sendMessage(response, isPaused ? 403 : 410, () => notice.text)
  if (kind === 'list' || (kind === 'page' && !isPaused)) return sendNotFound(response)
  const renderFor = response.locals['renderFor'] as RenderFor
  const render = renderFor(response.req.originalUrl)
  response.status(state === 'gone' ? 410 : 200).send(render('link-notice', { notice }))
}

/** Returns true for client errors from Express, such as a malformed URL or an oversized form. */
function isClientError(error: unknown): error is Error & { readonly status: number } {
  if (!(error instanceof Error) || !('status' in error)) return false
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500
}

function retryAfter(response: Response, ms: number): Response {
  return response.set('Retry-After', String(Math.max(1, Math.ceil(ms / 1000))))
}
