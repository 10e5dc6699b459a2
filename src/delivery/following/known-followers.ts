import type { TimeSource } from '../../clock.ts'
import type { Follower } from '../../followers/follower.ts'
import type { Followers } from '../../followers/followers.ts'

export type KnownFollowers = {
  readonly all: () => Iterable<Follower>
  /** Loads the followers if they have changed, and deletes those whose link has ended. */
  readonly load: () => Promise<void>
  /** Changes a follower until the followers are loaded again. */
  readonly put: (follower: Follower) => void
  /** Stores the result of a message, so that it is not sent again, or only later. */
  readonly record: (
    follower: Follower,
    changed: (follower: Follower, now: number) => Follower | undefined,
  ) => Promise<void>
}

export type KnownFollowersOptions = {
  readonly followers: Followers
  /** Returns false for followers of links that have ended. */
  readonly mayFollow: (follower: Follower) => boolean
  /** Loads the latest links. Resolves to false if the store is down. */
  readonly loadLinks: () => Promise<boolean>
}

/** Remembers the followers, and the results of messages to them while the store is down. */
export function createKnownFollowers(
  { followers, mayFollow, loadLinks }: KnownFollowersOptions,
  clock: TimeSource,
): KnownFollowers {
  let known = new Map<string, Follower>()
  let knownVersion: number | undefined
  /** Functions that store results that could not be stored. */
  const unsaved = new Set<() => Promise<void>>()

  const withoutLink = () => [...known.values()].filter((follower) => !mayFollow(follower))

  return {
    all: () => known.values(),
    async load() {
      for (const save of unsaved) await save()
      const version = await followers.version()
      if (version !== knownVersion) {
        known = new Map((await followers.all()).map((follower) => [follower.id, follower]))
      }
      knownVersion = version
      // Another replica may have just created the link.
      if (withoutLink().length === 0 || !(await loadLinks())) return
      for (const follower of withoutLink()) {
        await followers.remove(follower)
        known.delete(follower.id)
      }
    },
    put: (follower) => void known.set(follower.id, follower),
    async record({ id }, changed) {
      const now = clock.now()
      const after = (follower: Follower | undefined) => follower && changed(follower, now)
      // Change the memory first. Otherwise, the message would be repeated while the store is down.
      const inMemory = after(known.get(id))
      if (inMemory) known.set(id, inMemory)
      else known.delete(id)
      const save = async () => {
        await followers.change(id, after)
        unsaved.delete(save)
      }
      await save().catch((error: unknown) => {
        unsaved.add(save)
        throw error
      })
    },
  }
}
