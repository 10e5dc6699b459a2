import { hourMs } from '../../clock.ts'

/** Greatest age of a copy in each of the last hours, in minutes, by number of the hour since the epoch. */
export type HourlyAges = Readonly<Record<string, number>>

export const keptHours = 24

const hourOf = (at: number) => Math.floor(at / hourMs)

export function agesUntil(now: number, fetchedAt: number, ages: HourlyAges = {}): HourlyAges {
  const hours = lastHours(now)
  return Object.fromEntries(
    hours.flatMap((hour) => {
      const until = Math.min(now, (hour + 1) * hourMs)
      const age = until <= fetchedAt ? undefined : Math.round((until - fetchedAt) / 60_000)
      const known = [ages[hour], age].filter((each) => each !== undefined)
      return known.length > 0 ? [[hour, Math.max(...known)]] : []
    }),
  )
}

/** Returns the start of each of the last hours, the latest last, and the greatest age in it, if known. */
export function agesByHour(now: number, ages: HourlyAges) {
  return lastHours(now).map((hour) => ({ at: hour * hourMs, minutes: ages[hour] }))
}

function lastHours(now: number): readonly number[] {
  return Array.from({ length: keptHours }, (_, index) => hourOf(now) - keptHours + 1 + index)
}
