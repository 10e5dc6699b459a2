import type { ServerResponse } from 'node:http'
import { isLighter, type Sender, type SenderCounts, type Weight } from './counts.ts'
import { isWaiting } from './read-deadlines.ts'

/**
 * Responses give way only to a request whose client, network or provider has at least this many fewer.
 * With a difference of one, two requests that wait would only trade places. A client that reads slowly
 * gives way earlier, and always to its own new requests.
 */
const minDifference = { waiting: 2, reading: 1 } as const

export type OpenLimits = {
  readonly maxOpen: number
  readonly maxOpenOfClient: number
  readonly maxOpenOfNetwork: number
  readonly maxOpenOfProvider: number
}

/** Returns whether a response may be dropped. */
type MayDrop = (sender: Sender, response: ServerResponse) => boolean

export type Admission = {
  /** Returns whether a request can be added. Another response may be ended for it. */
  readonly hasRoomFor: (sender: Sender) => boolean
  /** Ends the oldest unread response of the client with the most. Returns false if there is none. */
  readonly dropUnread: (mayDrop: MayDrop) => boolean
}

export type AdmissionOptions = {
  /** Open responses with their clients, or undefined for health checks. Oldest first. */
  readonly open: ReadonlyMap<ServerResponse, Sender | undefined>
  readonly counts: SenderCounts
  readonly limits: OpenLimits
  /** Ends a response that its client does not read. */
  readonly dropReading: (response: ServerResponse) => void
  /** Ends a response to a request that waits for the worker. */
  readonly dropWaiting: (response: ServerResponse) => void
}

/** Decides which responses may be open, and which give way to others. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { open, counts, limits, dropReading, dropWaiting } = options

  const dropUnread = (mayDrop: MayDrop) =>
    drop(
      ofHeaviest([...open], counts, (sender, response) => {
        return isWaiting(response) && mayDrop(sender, response)
      }),
      dropReading,
    )

  /** Ends the newest request that waits for the worker, of the client with the most. */
  const dropUnanswered = (mayDrop: MayDrop) =>
    drop(
      ofHeaviest([...open].toReversed(), counts, (sender, response) => {
        return !response.headersSent && mayDrop(sender, response)
      }),
      dropWaiting,
    )

  /** Makes room for a request by ending a response of someone who has more. */
  function makeRoomFor(newcomer: Sender, isIncluded: (sender: Sender) => boolean): boolean {
    const own = counts.weightOf(newcomer)
    const mayDrop = (difference: number) => (sender: Sender) => {
      const level = levelOf(sender, newcomer)
      return isIncluded(sender) && counts.weightOf(sender)[level] >= own[level] + difference
    }
    const mayDropUnread = mayDrop(minDifference.reading)
    return (
      dropUnread((sender) => sender.client === newcomer.client || mayDropUnread(sender)) ||
      dropUnanswered(mayDrop(minDifference.waiting))
    )
  }

  return {
    dropUnread,
    /** Makes room at each limit that has been reached, from the network's to the total. */
    hasRoomFor(sender) {
      const { network, provider } = sender
      return (
        counts.ofClient(sender) < limits.maxOpenOfClient &&
        (counts.ofNetwork(sender) < limits.maxOpenOfNetwork ||
          makeRoomFor(sender, (other) => other.network === network)) &&
        (counts.ofProvider(sender) < limits.maxOpenOfProvider ||
          makeRoomFor(sender, (other) => other.provider === provider)) &&
        (open.size < limits.maxOpen || makeRoomFor(sender, () => true))
      )
    },
  }
}

/** Returns false if there is no response to end. */
function drop(
  response: ServerResponse | undefined,
  end: (response: ServerResponse) => void,
): boolean {
  if (response) end(response)
  return response !== undefined
}

/**
 * Returns the first response that may be dropped, of the provider with the most open responses, and of
 * its network and client with the most.
 */
function ofHeaviest(
  open: readonly (readonly [ServerResponse, Sender | undefined])[],
  counts: SenderCounts,
  mayDrop: MayDrop,
): ServerResponse | undefined {
  let heaviest: ServerResponse | undefined
  let most: Weight = [0, 0, 0]
  for (const [response, sender] of open) {
    if (!sender || !isLighter(most, counts.weightOf(sender)) || !mayDrop(sender, response)) continue
    heaviest = response
    most = counts.weightOf(sender)
  }
  return heaviest
}

/** Returns the first level at which two clients differ. */
function levelOf(one: Sender, other: Sender): 0 | 1 | 2 {
  if (one.provider !== other.provider) return 0
  return one.network === other.network ? 2 : 1
}
