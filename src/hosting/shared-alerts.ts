import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { NamedSite } from '../config/sites-config.ts'
import { sendThroughFirst } from '../features/monitoring/worker-reports.ts'
import type { Channel, Delivery, Notice, NoticeLine, SendNotice } from '../channels/notice.ts'
import { waitingText } from '../delivery/notifications/alert-notices.ts'
import { createChannels } from '../delivery/notifications/site-notifications.ts'

/** Messages to the same receiver within the same minute are combined. */
export const collectMs = 60_000

/** Names of sites in one line of a message. */
const maxNamesLength = 550

/** An alert that another worker forwards to the first one. */
type PassedAlert = { readonly site: string; readonly channelId: string; readonly notice: Notice }

/**
 * Creates the sender of alerts for several sites. The first worker combines alerts from all
 * workers; the others forward theirs, or send them directly if it does not respond.
 */
export function createSharedAlerts(options: {
  readonly sites: () => readonly NamedSite[]
  /** Returns the first worker's socket path, or undefined in the first worker. */
  readonly firstSocketPath: () => string | undefined
  /** The sites page, if it has a public URL. */
  readonly overviewUrl: string | undefined
  readonly clock: Clock
}) {
  const { sites, firstSocketPath, clock } = options
  const combine = createCombiner(clock, options.overviewUrl)
  return {
    senderFor:
      (site: string): SendNotice =>
      async (channel, notice, signal) => {
        const socketPath = firstSocketPath()
        if (socketPath === undefined || channel.receiver === undefined) {
          return combine(channel, notice, signal)
        }
        const passed: PassedAlert = { site, channelId: channel.id, notice }
        try {
          return (await sendThroughFirst(socketPath, passed, signal)) as Delivery
        } catch {
          return channel.send(notice, signal)
        }
      },
    sendPassed: async (passed: unknown, signal: AbortSignal): Promise<Delivery> => {
      const { site, channelId, notice } = passed as PassedAlert
      const config = sites().find(({ name }) => name === site)?.config
      const channels = config && createChannels(config.notifications, clock).alerts
      const channel = channels?.find(({ id }) => id === channelId)
      if (!channel) throw new Error(`site ${site} has no such receiver of alerts`)
      return combine(channel, notice, signal)
    },
  }
}

type Waiting = { readonly notice: Notice; readonly resolve: (delivery: Delivery) => void }

type Batch = { readonly waiting: Set<Waiting>; readonly stopping: AbortController }

const stopped: Delivery = { ok: false, reason: 'Feedhouse is stopping', isPermanent: false }

/**
 * Creates a sender that combines messages from several sites to the same receiver. Each message
 * waits for the end of the current minute. If sending fails, every site tries again.
 */
function createCombiner(clock: Clock, overviewUrl: string | undefined): SendNotice {
  const batches = new Map<string, Batch>()

  async function sendLater(channel: Channel, receiver: string, batch: Batch): Promise<void> {
    const { waiting, stopping } = batch
    await clock.sleep(collectMs - (clock.now() % collectMs), stopping.signal).catch(() => undefined)
    // An abandoned batch may have been replaced.
    if (batches.get(receiver) === batch) batches.delete(receiver)
    const all = [...waiting]
    const notices = all.map(({ notice }) => notice)
    const combined = combineNotices(notices, overviewUrl)
    const delivery = combined ? await channel.send(combined, stopping.signal) : stopped
    for (const { resolve } of all) resolve(delivery)
  }

  function batchFor(channel: Channel, receiver: string): Batch {
    const known = batches.get(receiver)
    if (known) return known
    const batch = { waiting: new Set<Waiting>(), stopping: new AbortController() }
    batches.set(receiver, batch)
    void sendLater(channel, receiver, batch)
    return batch
  }

  return async (channel, notice, signal) => {
    const { receiver } = channel
    if (receiver === undefined) return channel.send(notice, signal)
    if (signal.aborted) return stopped
    const batch = batchFor(channel, receiver)
    const { waiting, stopping } = batch
    const { promise, resolve } = Promise.withResolvers<Delivery>()
    const entry = { notice, resolve }
    waiting.add(entry)
    const leave = () => {
      waiting.delete(entry)
      resolve(stopped)
      if (waiting.size > 0) return
      if (batches.get(receiver) === batch) batches.delete(receiver)
      stopping.abort()
    }
    signal.addEventListener('abort', leave, { once: true })
    const delivery = await promise
    signal.removeEventListener('abort', leave)
    return delivery
  }
}

/** Returns one message for several, or undefined if there are none. */
export function combineNotices(
  notices: readonly Notice[],
  overviewUrl: string | undefined,
): Notice | undefined {
  const [first] = notices
  if (!first || notices.length === 1) return first
  const names = new Set(notices.map(({ siteName }) => siteName))
  const byTitle = Map.groupBy(notices, ({ title }) => title)
  const types = new Set(notices.map(({ type }) => type))
  const about = byTitle.size === 1 ? first.title : `${notices.length} alerts`
  const ids = JSON.stringify(notices.map(({ id }) => id).toSorted())
  return {
    // The same for each attempt, so that receivers can detect duplicates.
    id: createHash('sha256').update(ids).digest('hex').slice(0, 32),
    thread: `several.${first.thread}`,
    type: types.size === 1 ? first.type : 'alert.several',
    at: Math.max(...notices.map(({ at }) => at)),
    siteName: names.size === 1 ? first.siteName : 'Feedhouse',
    title: names.size === 1 ? about : `${names.size} sites: ${about}`,
    lines: [...byTitle].flatMap(([title, same]) => linesFor(title, same)),
    url: overviewUrl ?? first.url,
    // Programs get each message separately.
    data: {},
  }
}

/** Returns the text of a single message, or the names of the sites. */
function linesFor(title: string, notices: readonly Notice[]): readonly NoticeLine[] {
  const [first, ...others] = notices
  if (!first) return []
  if (others.length === 0) {
    const text = [`${first.siteName}: ${title}.`, ...first.lines.map((line) => line.text)].join(' ')
    return [{ text, url: first.url }]
  }
  const names = [...new Set(notices.map(({ siteName }) => siteName))]
  names.sort((a, b) => a.localeCompare(b, 'en'))
  const [waiting] = notices.flatMap((notice) => waitingText(notice) ?? [])
  return [
    { text: `${title}, at ${names.length} sites:` },
    ...namesInLines(names),
    ...(waiting === undefined ? [] : [{ text: waiting }]),
  ]
}

function namesInLines(names: readonly string[]): readonly NoticeLine[] {
  const lines: string[] = []
  for (const name of names) {
    const longer = `${lines.at(-1) ?? ''}, ${name}`
    if (lines.length > 0 && longer.length <= maxNamesLength) lines[lines.length - 1] = longer
    else lines.push(name)
  }
  return lines.map((text) => ({ text }))
}
