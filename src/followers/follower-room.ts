import { minuteMs, type TimeSource } from '../clock.ts'
import { isUnreached, type Follower, type FollowMeans } from './follower.ts'

/** Maximum number of a site's followers by email, and of its devices. */
export const maxFollowers = 10_000

/** Minimum interval between counts, because counting reads all followers. */
const countAgainMs = minuteMs

/** Numbers of followers at a time, and the devices that have not been reached, oldest first. */
type Counted = Record<FollowMeans, number> & { readonly at: number; readonly unreached: Follower[] }

export type FollowerRoom = {
  /** Resolves to false if there are too many followers of this kind. */
  readonly isThere: (means: FollowMeans) => Promise<boolean>
  /** Reserves room for a new follower. Resolves to false if there is none. */
  readonly take: (means: FollowMeans) => Promise<boolean>
}

/** Limits the number of followers. Fake devices don't keep others from being added. */
export function createFollowerRoom(
  all: () => Promise<readonly Follower[]>,
  clock: TimeSource,
  /** Deletes a device if it has not been reached yet. Resolves to true if it is gone. */
  removeUnreached: (id: string) => Promise<boolean>,
): FollowerRoom {
  let counted: Counted = { at: -Infinity, mail: 0, push: 0, unreached: [] }

  async function isThere(means: FollowMeans): Promise<boolean> {
    if (clock.now() >= counted.at + countAgainMs) {
      const known = await all()
      const countOf = (each: FollowMeans) => known.filter((one) => one.means === each).length
      const unreached = known.filter(isUnreached).toSorted((a, b) => a.createdAt - b.createdAt)
      counted = { at: clock.now(), mail: countOf('mail'), push: countOf('push'), unreached }
    }
    return counted[means] < maxFollowers
  }

  /** Deletes the oldest device that has not been reached. Resolves to false if there is none. */
  async function removeOldest(): Promise<boolean> {
    for (let next = counted.unreached.shift(); next; next = counted.unreached.shift()) {
      if (!(await removeUnreached(next.id))) continue
      counted.push -= 1
      return true
    }
    return false
  }

  return {
    isThere,
    async take(means) {
      const hasSpace = (await isThere(means)) || (means === 'push' && (await removeOldest()))
      if (hasSpace) counted[means] += 1
      return hasSpace
    },
  }
}
