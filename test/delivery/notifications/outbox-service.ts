import { expect, onTestFinished } from 'vitest'
import type { Channel } from '../../../src/channels/notice.ts'
import type { OutboxContext } from '../../../src/delivery/notifications/outbox.ts'
import { createWebhookChannel } from '../../../src/delivery/notifications/webhook.ts'
import { createLogger } from '../../../src/log.ts'
import type { Store } from '../../../src/store/store.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'

type Calls = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>

/**
 * The replicas of a service that sends messages. Counts their requests, which take real time, in which a
 * lease could expire if the clock ran faster.
 */
export function outboxService(
  clock: FakeClock,
  channels: readonly Channel[],
  run: (options: OutboxContext & { readonly channels: readonly Channel[] }) => Promise<void>,
) {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  let pending = 0

  const counted = <T extends Calls>(calls: T): T => {
    const entries = Object.entries(calls).map(([name, call]) => {
      const counting = async (...parameters: never[]) => {
        pending += 1
        return call(...parameters).finally(() => (pending -= 1))
      }
      return [name, counting]
    })
    return Object.fromEntries(entries) as T
  }

  /** Starts a replica until the test ends. Returns a function that stops it. */
  function start({ documents, leases }: Pick<Store, 'documents' | 'leases'>, holder: string) {
    const stopping = new AbortController()
    const running = run({
      channels: channels.map((each) => ({ ...each, ...counted({ send: each.send }) })),
      store: { documents: counted(documents), leases: counted(leases) },
      holder,
      clock,
      log,
      signal: stopping.signal,
    })
    const stop = async () => {
      stopping.abort()
      await running
    }
    onTestFinished(stop)
    return stop
  }

  return {
    lines,
    start,
    /** Advances the time in steps until the expectation is met after the work in a step. */
    until: (stepMs: number, expectation: () => void) =>
      waitFor(async () => {
        await clock.advance(stepMs)
        await waitFor(() => expect(pending).toBe(0))
        expectation()
      }),
  }
}

export function webhookTo(
  url: string,
  purpose: 'alert' | 'change',
  { now }: Pick<FakeClock, 'now'>,
): Channel {
  return createWebhookChannel({ purpose, target: { kind: 'json', url }, secret: undefined, now })
}
