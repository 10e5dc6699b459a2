import { setImmediate as handleRequests } from 'node:timers/promises'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import type { TimeSource } from '../../clock.ts'
import {
  createRenderQueue,
  RenderingBusy,
  yieldToRequests,
} from '../../representations/render-queue.ts'
import { TooManyRequests } from '../../web/errors.ts'
import { networkOf } from '../../front/client-address.ts'
import { createClientAllowance, rememberedClients } from '../../web/client-limit.ts'
import type { DavAnswer, Wanted } from './resources.ts'
import { xml } from './xml.ts'

/** Requests of all apps with the same feed link. A new phone sends up to a hundred. */
export const accountRequests = { burst: 600, oneMoreMs: 200 }

/** Requests of a feed link that are answered at a time, and that wait. */
export const accountPlaces = { maxActive: 4, maxWaiting: 8 }

const waitRetryMs = 5_000

/** Memory for the answers in progress of all sites in this process. */
export const maxAnswerBytes = 64 * 1024 * 1024

/** Memory for a resource while an answer is created, including its content. */
const bytesPerResource = 4 * 1024

/** Resources in an answer that are rendered before other requests are handled. */
export const resourcesPerTurn = 25

/**
 * Maximum number of characters that the names of requested properties take up in a response, which
 * repeats them for each resource. Phones request long lists only for calendars, not for entries.
 */
export const maxRepeatedCharacters = 2 * 1024 * 1024

/** Returns true if a response about this many resources would be much longer than its content. */
export function isTooLarge({ names, isMinimal }: Wanted, resources: number): boolean {
  const length = names.reduce((sum, name) => sum + xml(name).length, 0)
  return !isMinimal && length * resources > maxRepeatedCharacters
}

/** Maps items to values, and lets the process handle pending requests in between. */
export async function mapInTurns<T, Value>(
  items: readonly T[],
  map: (item: T) => Value | Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = []
  for (const item of items) {
    values.push(await map(item))
    if (values.length % resourcesPerTurn === 0) await handleRequests()
  }
  return values
}

/** Limits what the apps with each feed link can make a site do at a time. */
export function createAnswerLimits(clock: TimeSource, memory: AnswerMemory = processMemory) {
  const allowed = createClientAllowance(clock, accountRequests, 'too many account requests')
  const queues = new LRUCache<string, LimitFunction>({
    ...rememberedClients,
    memoMethod: () => pLimit(accountPlaces.maxActive),
  })

  /** Returns the queue of a link and a function that counts a request. Throws if it sent too many. */
  function admitted(linkId: string) {
    const count = allowed(linkId)
    const queue = queues.memo(linkId)
    if (queue.pendingCount >= accountPlaces.maxWaiting) {
      throw new TooManyRequests('too many account requests', waitRetryMs)
    }
    return { queue, count }
  }

  return {
    /** Throws if the link has sent too many requests, without counting this one. */
    check: (linkId: string) => void admitted(linkId),
    /**
     * Answers a request when it is the link's turn. Throws if the link has sent too many. The body is
     * best read by `answer`, so that only the requests whose turn it is need memory for theirs.
     */
    async inTurn(linkId: string, response: Response, answer: () => unknown): Promise<void> {
      const { queue, count } = admitted(linkId)
      count()
      await queue(async () => {
        if (response.destroyed) return
        // An answer that a slow client is reading uses memory, too.
        const closed = new Promise((resolve) => void response.once('close', resolve))
        await answer()
        await closed
      })
    },
    /**
     * Renders an answer about this many resources when it is its turn in this process. Holds memory
     * for it until it has been sent. Rejects if there is no memory. Resolves to undefined if the
     * client has disconnected.
     */
    async render(
      linkId: string,
      response: Response,
      resources: number,
      render: () => Promise<DavAnswer>,
    ): Promise<DavAnswer | undefined> {
      const reservation = memory.reserve(linkId, resources * bytesPerResource)
      if (!reservation) throw new RenderingBusy()
      let isClosed = false
      response.once('close', () => {
        isClosed = true
        reservation.resize(0)
      })
      let answer: DavAnswer | undefined
      const { done, prioritize } = answers.add(async (waiters) => {
        await yieldToRequests(waiters)
        if (isClosed) return
        answer = await render()
        if (!isClosed) reservation.resize(answer.body.length)
      })
      prioritize(networkOf(response.req.ip ?? ''))
      await done
      return answer
    },
  }
}

type AnswerMemory = {
  readonly reserve: (
    owner: string,
    bytes: number,
  ) => { readonly resize: (needed: number) => void } | undefined
}

/**
 * Divides memory among owners. An owner gets at most as much as is left over, so that a few cannot
 * take all of it. If none is in use, a request gets any amount.
 */
export function createAnswerMemory(maxBytes: number): AnswerMemory {
  const used = new Map<string, number>()
  let total = 0

  function add(owner: string, bytes: number): void {
    total += bytes
    const sum = (used.get(owner) ?? 0) + bytes
    if (sum > 0) used.set(owner, sum)
    else used.delete(owner)
  }

  return {
    reserve(owner, bytes) {
      const free = maxBytes - total
      if (total > 0 && (used.get(owner) ?? 0) + bytes > free) return undefined
      let reserved = 0
      const resize = (needed: number) => {
        add(owner, needed - reserved)
        reserved = needed
      }
      resize(bytes)
      return { resize }
    },
  }
}

/** Answers of all sites in this process. */
const answers = createRenderQueue()

const processMemory = createAnswerMemory(maxAnswerBytes)
