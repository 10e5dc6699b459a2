import { withFallback } from '../../store/store-error.ts'

/** A receiver of alerts or changes. Times are in milliseconds since the epoch. */
export type MessageChannel = {
  readonly label: string
  readonly purpose: 'alerts' | 'changes'
  readonly lastSuccessAt?: number | undefined
  /** Undefined if the latest message was delivered. */
  readonly failure?: { readonly at: number; readonly reason: string } | undefined
}

/** Actions about messages to operators. All of them reject with a `StoreError` if the store is down. */
export type MessageActions = {
  readonly channels: () => Promise<readonly MessageChannel[]>
  /** Sends a test message to every channel. */
  readonly sendTest: () => Promise<void>
  readonly refreshTokenAge: () => Promise<{
    readonly createdAt: number
    /** True until somebody has entered the date. */
    readonly isEstimate: boolean
  }>
  readonly setRefreshTokenCreation: (createdAt: number) => Promise<void>
}

/** What the status page shows about messages; empty while the store is down. */
export type MessageState = {
  readonly channels: readonly MessageChannel[]
  readonly refreshToken?: Awaited<ReturnType<MessageActions['refreshTokenAge']>>
}

export function messageStateFrom(actions: MessageActions): Promise<MessageState> {
  return withFallback(
    async () => ({
      channels: await actions.channels(),
      refreshToken: await actions.refreshTokenAge(),
    }),
    () => ({ channels: [] }),
  )
}
