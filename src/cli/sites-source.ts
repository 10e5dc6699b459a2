import { writeFileSync } from 'node:fs'
import { boundedGet, type ReceivedResponse } from '../check/bounded-get.ts'
import { every, minuteMs, singleFlight, type Clock } from '../clock.ts'
import { ConfigError, SitesFileMissing } from '../config/config-error.ts'
import { byteOrderMark } from '../config/env-file.ts'
import type { SitesConfig } from '../config/sites-config.ts'
import { readSitesFile } from '../config/sites-file.ts'
import {
  readSitesCopy,
  type SitesCopy,
  type SitesFileStatus,
  type SitesLocation,
} from '../config/sites-location.ts'
import { addedFaults, watchSitesFile } from '../config/sites-reload.ts'
import type { Logger } from '../log.ts'
import { moveIntoPlace } from '../store/private-files.ts'
import { connectionFaultFrom } from '../upstream/connection-fault.ts'

export const downloadLimits = {
  intervalMs: minuteMs,
  timeoutMs: 10_000,
  /** 8 KB for each of 2,000 sites. */
  maxBodyBytes: 16 * 1024 * 1024,
  /** Objects and lists. Each site is one object, and has a few more at most. */
  maxThings: 100_000,
  /** `/status` reports downloads that have failed for this long. */
  outdatedMs: 15 * minuteMs,
}

type Check = (isForced?: boolean) => void

export type SitesSource = {
  /** Resolves to the sites to start with. Rejects if there are no valid ones. */
  readonly first: (parse: (text: string) => SitesConfig) => Promise<SitesConfig>
  /** Returns the newest text, which may be invalid. Throws a `ConfigError` if there is none. */
  readonly text: () => string
  /** Stores a valid text for the next start. */
  readonly keep: (text: string) => void
  /** Calls `check` after each change, and at an interval. */
  readonly watch: (check: Check, signal: AbortSignal) => Promise<void>
  /** Reads again, and forces a check. */
  readonly reload: (check: Check) => void
  /** Returns undefined if it is a file on this machine. */
  readonly status: () => SitesFileStatus | undefined
  /** Returns one sentence if downloads have failed for a while. */
  readonly faults: () => readonly string[]
}

type Options = { readonly clock: Clock; readonly log: Logger }

export function createSitesSource(
  location: SitesLocation,
  options: Options & { readonly header: string | undefined },
): SitesSource {
  const { url } = location
  return url === undefined
    ? watchedFile(location, options)
    : download({ ...location, url }, options)
}

function watchedFile({ name, path }: SitesLocation, { clock }: Options): SitesSource {
  const text = () => readSitesFile(name, path)
  return {
    first: async (parse) => parse(text()),
    text,
    keep: () => undefined,
    watch: (check, signal) => watchSitesFile(path, { check: () => check(), clock, signal }),
    reload: (check) => check(true),
    status: () => undefined,
    faults: () => [],
  }
}

/**
 * Downloads the sites file, and keeps a copy of the latest valid version, so that Feedhouse can
 * start and run while the file's server is down.
 */
function download(
  location: SitesLocation & { readonly url: string },
  { header, clock, log }: Options & { readonly header: string | undefined },
): SitesSource {
  const { url, name } = location
  const [field = '', value = ''] = header?.split(/:\s*(.*)/, 2) ?? []
  const headers = { 'user-agent': 'Feedhouse', ...(header !== undefined && { [field]: value }) }
  let copy: SitesCopy | undefined = readSitesCopy(location)
  let newest: Pick<SitesCopy, 'text' | 'etag'> | undefined = copy
  let checkedAt: number | undefined
  let failing: { readonly since: number; readonly fault: string } | undefined
  let stopping: AbortSignal | undefined

  async function request(): Promise<string | undefined> {
    try {
      const condition = newest?.etag === undefined ? {} : { 'if-none-match': newest.etag }
      const sent = { ...headers, ...condition }
      const options = { ...downloadLimits, headers: sent, signal: stopping }
      const response = await boundedGet(new URL(url), options)
      if (response.status === 304 && newest) return undefined
      const { text } = response
      if (response.status !== 200 || text === undefined) return faultOf(response)
      const { etag } = response.headers
      newest = { text: text.replace(byteOrderMark, ''), ...(etag !== undefined && { etag }) }
      return undefined
    } catch (error) {
      const { kind, reason = kind, code } = connectionFaultFrom(error)
      return `The connection failed: ${reason}${code === '' ? '' : ` (${code})`}.`
    }
  }

  const refresh = singleFlight(async () => {
    const fault = await request()
    if (stopping?.aborted) return
    const now = clock.now()
    if (fault === undefined) {
      if (failing) log.info({ source: name }, 'the sites file can be downloaded again')
      checkedAt = now
      failing = undefined
      return
    }
    // Without a copy, this is the error at startup.
    if (copy && fault !== failing?.fault) {
      log.warn(
        { source: name, since: copy.since },
        `the sites file could not be downloaded: ${fault}`,
      )
    }
    failing = { since: failing?.since ?? now, fault }
  })

  function keep(text: string): void {
    if (copy?.text === text) return
    const etag = newest?.text === text ? newest.etag : undefined
    const since = new Date(clock.now()).toISOString()
    copy = { url, since, text, ...(etag !== undefined && { etag }) }
    try {
      const part = `${location.path}.part`
      writeFileSync(part, JSON.stringify(copy), { mode: 0o600 })
      moveIntoPlace(part, location.path)
    } catch (error) {
      log.error({ err: error }, 'could not store the sites file for the next start')
    }
  }

  return {
    async first(parse) {
      await refresh()
      if (!newest) {
        throw new SitesFileMissing(`SITES_FILE ${name} cannot be downloaded. ${failing?.fault}`)
      }
      const known = copy && copy.text !== newest.text ? parsed(parse, copy.text) : undefined
      if (!known) return parse(newest.text)
      const sites = parsed(parse, newest.text)
      const isValid = sites && addedFaults(known.faulty, sites.faulty).length === 0
      // Otherwise, the first check reports the errors in the new version.
      return isValid ? sites : known
    },
    text: () => newest?.text ?? copy?.text ?? '',
    keep,
    watch(check, signal) {
      stopping = signal
      return every(clock, downloadLimits.intervalMs, signal, async () => {
        await refresh()
        if (!signal.aborted) check()
      })
    },
    reload: (check) => void refresh().then(() => check(true)),
    status: () => ({
      source: name,
      since: copy?.since ?? null,
      checkedAt: checkedAt === undefined ? null : new Date(checkedAt).toISOString(),
    }),
    faults: () =>
      failing && clock.now() - failing.since >= downloadLimits.outdatedMs ? [failing.fault] : [],
  }
}

function parsed(parse: (text: string) => SitesConfig, text: string): SitesConfig | undefined {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

function faultOf({ status, isTooLarge }: ReceivedResponse): string {
  if (status >= 300 && status < 400) {
    return 'The server redirected the request. Set SITES_FILE to the final URL, because redirects are not followed.'
  }
  if (status === 200) {
    return isTooLarge
      ? `The response is larger than ${downloadLimits.maxBodyBytes / 1024 / 1024} MiB, or has more than ${downloadLimits.maxThings} objects and lists.`
      : 'The response cannot be decoded.'
  }
  return status === 401 || status === 403 || status === 404
    ? `The server responded with status ${status}. Check SITES_FILE and SITES_FILE_HEADER.`
    : `The server responded with status ${status}.`
}
