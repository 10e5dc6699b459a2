export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Simulated time, and how far the clocks of the services' machines are ahead of it. */
export type SoakTime = {
  readonly now: () => number
  readonly clockErrorMs: () => number
}
