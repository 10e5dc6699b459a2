import type { Request } from 'express'
import { yieldToRequests } from '../../representations/render-queue.ts'
import { networkOf } from '../front/client-address.ts'

/** Waits until a request may be handled. Networks take turns, so none delays the others for long. */
export function takeTurn({ ip = '' }: Pick<Request, 'ip'>): Promise<void> {
  return yieldToRequests(new Set([networkOf(ip)]))
}
