import type { RequestListener, ServerResponse } from 'node:http'
import { repeatHeader } from '../http/front/protocol.ts'

/** A listener that can be replaced while requests wait for it. */
export type RepeatableRequests = {
  readonly listener: RequestListener
  /**
   * Marks all requests that have no response yet. If they get 503, the front sends them again, and they
   * reach the new listener.
   */
  readonly repeat: () => void
}

export function createRepeatableRequests(listener: RequestListener): RepeatableRequests {
  const open = new Set<ServerResponse>()
  return {
    listener(request, response) {
      open.add(response)
      response.once('close', () => open.delete(response))
      listener(request, response)
    },
    repeat() {
      for (const response of open) if (!response.headersSent) response.setHeader(repeatHeader, '1')
    },
  }
}
