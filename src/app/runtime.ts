import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'

export type Runtime = {
  readonly clock: Clock
  readonly log: Logger
  /** Returns a random number from 0 up to 1. */
  readonly random: () => number
}
