import type { Request, RequestHandler } from 'express'
import { yieldToRequests } from '../representations/render-queue.ts'
import { networkOf } from '../front/client-address.ts'

/** Waits until a request may be handled. Networks take turns, so that none delays the others for long. */
export const inTurn: RequestHandler = async (request, _response, next) => {
  await takeTurn(request)
  next()
}

/** Waits for another turn before slow work, so that other requests of the same network go first. */
export function takeTurn({ ip = '' }: Pick<Request, 'ip'>): Promise<void> {
  return yieldToRequests(new Set([networkOf(ip)]))
}
