import type { UpstreamResponse, Transport } from './connection.ts'
import { serviceErrorCodes, UpstreamError } from './upstream-error.ts'

/** A connection that counts its calls by outcome, which is `ok` or an error code. */
export type CountedConnection = Transport & {
  readonly counts: () => ReadonlyMap<string, number>
}

export function countedConnection(connection: Transport): CountedConnection {
  const counts = new Map<string, number>()
  const count = (code: string) => void counts.set(code, (counts.get(code) ?? 0) + 1)
  return {
    counts: () => counts,
    async request(call) {
      try {
        const response = await connection.request(call)
        count(codeOf(response))
        return response
      } catch (error) {
        count(error instanceof UpstreamError ? error.kind : 'interrupted')
        throw error
      }
    },
  }
}

function codeOf({ status, body }: UpstreamResponse): string {
  if (status === 200 && body !== undefined) return 'ok'
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return serviceErrorCodes.find((known) => known === code) ?? 'unexpected_answer'
}
