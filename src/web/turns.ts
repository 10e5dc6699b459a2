import type { Request, RequestHandler } from 'express'
import { startInTurn, yieldToRequests } from '../representations/render-queue.ts'
import { networkOf } from '../front/client-address.ts'

export const networkIn = ({ ip = '' }: Pick<Request, 'ip'>): string => networkOf(ip)

/** Lets networks take turns, so that none delays the others' requests for long. */
export const inTurn: RequestHandler = (request, _response, next) =>
  startInTurn(networkIn(request), next)

/** Waits for another turn before slow work, so that other requests of the same network go first. */
export function takeTurn(request: Pick<Request, 'ip'>): Promise<void> {
  return yieldToRequests(new Set([networkIn(request)]))
}
