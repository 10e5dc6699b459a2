import type { Request, RequestHandler } from 'express'
import { startInTurn, yieldToRequests } from '../representations/render-queue.ts'
import { networkOf } from '../front/client-address.ts'

/** Lets networks take turns, so that none delays the others' requests for long. */
export const inTurn: RequestHandler = ({ ip = '' }, _response, next) =>
  startInTurn(networkOf(ip), next)

/** Waits for another turn before slow work, so that other requests of the same network go first. */
export function takeTurn({ ip = '' }: Pick<Request, 'ip'>): Promise<void> {
  return yieldToRequests(new Set([networkOf(ip)]))
}
