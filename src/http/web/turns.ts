import type { RequestHandler } from 'express'
import { yieldToRequests } from '../../representations/render-queue.ts'
import { networkOf } from '../front/client-address.ts'

/** Waits until a request may be handled. Networks take turns, so that none delays the others for long. */
export const inTurn: RequestHandler = async ({ ip = '' }, _response, next) => {
  await yieldToRequests(new Set([networkOf(ip)]))
  next()
}
