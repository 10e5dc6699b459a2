import { z } from 'zod'
import { every, minuteMs, retryDelayMs } from '../../clock.ts'
import type { BounceMailbox } from '../../config/follow-settings.ts'
import type { Followers } from '../../followers/followers.ts'
import { afterBounce, manyRefused } from '../../followers/refusal.ts'
import { parsedJson } from '../../json.ts'
import { StoreError } from '../../store/store-error.ts'
import type { Store } from '../../store/store.ts'
import type { OutboxContext } from '../notifications/outbox.ts'
import { createSoleSender } from '../notifications/sole-sender.ts'
import { readMailbox } from './bounce-mailbox.ts'
import { endTokenIn, failureStatus, isForwardFailure, type BounceReport } from './bounce-report.ts'

const bucket = 'bounces'

const pollMs = 5 * minuteMs

/** Rare enough that mail services do not lock the account because of a wrong password. */
const retries = { initialMs: 2 * pollMs, maxMs: 120 * minuteMs }

/** Shorter than a replica's lease. */
const maxReadMs = 2 * minuteMs

const stored = z.object({
  position: z
    .object({ uidValidity: z.string(), uid: z.number(), singlyTo: z.number().optional() })
    .optional(),
  /** Set while the mailbox cannot be read. */
  failure: z.object({ since: z.number(), reason: z.string() }).optional(),
})

const parse = (text: string) => stored.safeParse(parsedJson(text)).data ?? {}

/** Resolves to the current failure, as stored by the replica that reads the mailbox. */
export async function bounceFailure(documents: Store['documents']) {
  return parse((await documents.get(bucket, 'state'))?.value ?? '').failure
}

export type BounceOptions = OutboxContext & {
  readonly mailbox: BounceMailbox
  readonly followers: Followers
}

/** Runs until aborted. Only one replica at a time reads the mailbox. */
export async function readBounces(options: BounceOptions): Promise<void> {
  const { mailbox, followers, clock, log, signal } = options
  const reader = createSoleSender(options, bucket, parse)
  let failures = 0
  let nextAt = 0
  /** Set during a turn, because reading all followers for each report would take too long. */
  let mayReject: boolean | undefined

  const skipped = () => log.warn('an email in the mailbox for bounces is too large and was skipped')

  async function turn(): Promise<void> {
    const before = await reader.take()
    if (!before || clock.now() < nextAt) return
    let { position, failure } = before
    mayReject = undefined
    try {
      const reached = (next: typeof position) => void (position = next)
      const ending = AbortSignal.any([signal, AbortSignal.timeout(maxReadMs)])
      await readMailbox(mailbox, position, { handle, reached, skipped }, ending)
      failure = undefined
      failures = 0
    } catch (error) {
      if (signal.aborted || error instanceof StoreError) throw error
      const reason = failureReason(error)
      failure ??= { since: clock.now(), reason }
      failures += 1
      nextAt = clock.now() + retryDelayMs(retries, failures)
      log.warn({ reason }, 'bounced emails could not be read')
    }
    await reader.save({ position, failure })
  }

  /** Processes a report. Resolves to true if it is about an email to a follower of this site. */
  async function handle(report: BounceReport): Promise<boolean> {
    const follower = await followers.byToken(endTokenIn(report) ?? '', 'end')
    if (!follower) return false
    const address = followers.addressOf(follower)
    const status = address === undefined ? undefined : failureStatus(report, address)
    const now = clock.now()
    if (status !== undefined) {
      mayReject ??= manyRefused(await followers.all(), now) === undefined
      const counted = { now, mayReject }
      await followers.change(follower.id, (known) => known && afterBounce(known, status, counted))
      log.info({ status }, 'an email to a follower bounced')
    } else if (address !== undefined && isForwardFailure(report, address)) {
      await followers.change(follower.id, (known) => known && { ...known, forwardFailedAt: now })
    }
    return true
  }

  await every(clock, pollMs, signal, () =>
    turn().catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'reading bounced emails failed')
    }),
  )
  await reader.release()
}

/**
 * Opens a mailbox without reading any emails. Resolves to the reason if that fails, without any
 * secrets.
 */
export function mailboxFault(mailbox: BounceMailbox): Promise<string | undefined> {
  const ignored = { handle: async () => false, reached: () => undefined, skipped: () => undefined }
  return readMailbox(mailbox, undefined, ignored, AbortSignal.timeout(maxReadMs)).then(
    () => undefined,
    failureReason,
  )
}

/** Returns a short description without the server's response, which could quote an address. */
function failureReason(error: unknown): string {
  const { code = '', authenticationFailed, responseStatus } = error as MailboxError
  if (authenticationFailed === true) return 'the mail server rejects the user or password'
  if (responseStatus === 'NO') return 'the mailbox cannot be opened'
  if (/timeout$/i.test(code) || code === 'NoConnection') return 'the mail server does not respond'
  return `the mail server cannot be used: ${code || 'unknown error'}`
}

type MailboxError = {
  readonly code?: string
  readonly authenticationFailed?: boolean
  readonly responseStatus?: string
}
