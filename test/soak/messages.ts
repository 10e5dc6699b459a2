/** Message to a process of the service. It replies to each message once it is done. */
export type ToService =
  | {
      readonly type: 'pass'
      readonly ms: number
      /** Maximum real time to wait for pending work, in milliseconds. */
      readonly patienceMs: number
    }
  /** Sets the wall clock forward or back, as an operator or time server would. */
  | { readonly type: 'jump'; readonly ms: number }
  | { readonly type: 'add-link' }
  /** Makes all feeds but these private, as an admin would. */
  | { readonly type: 'publish'; readonly feedIds: readonly string[] }
  | { readonly type: 'measure' }
  /** Stops the service the way systemd and Docker do. */
  | { readonly type: 'stop' }

export type FromService =
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'link'; readonly url: string }
  | { readonly type: 'done' }
  | { readonly type: 'measured'; readonly measurement: Measurement }

export type Measurement = {
  /** Size of the heap after garbage collection. */
  readonly heapBytes: number
  readonly residentBytes: number
  /** Sentences at `/status` about anything that needs attention. */
  readonly sentences: readonly string[]
  /** True if nothing needs attention. */
  readonly isOk: boolean
}

/** Start parameters of a service process. */
export type StartOptions = {
  readonly settings: Readonly<Record<string, string>>
  /** Real time of the start, in milliseconds since the epoch. */
  readonly startAt: number
  /** How far the wall clock is ahead of real time. */
  readonly clockErrorMs: number
  readonly seed: number
}
