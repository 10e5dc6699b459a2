import { z } from 'zod'
import { collectionBuckets } from '../collections/copy/stored-collections.ts'
import { ConfigError } from '../config/config-error.ts'
import { parsedJson } from '../json.ts'
import type { Logger } from '../log.ts'
import type { StoredSite } from '../store/open-store.ts'
import { withFallback } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'

export const idHostDocument = { bucket: 'identity', id: 'host' }

export type IdHostOptions = StoredSite & {
  readonly exportedHost?: string | undefined
  /**
   * Hosts of the sites in the process, if there are several. Their stores do not belong to a site
   * that has moved.
   */
  readonly configuredHosts?: ReadonlySet<string> | undefined
}

type KnownStore = Pick<Store, 'documents' | 'otherHosts'>

/**
 * Returns the host used in every UID, guid and Atom id of a site. Stores the host permanently on
 * first use, so that ids survive a domain change. Rejects with a `ConfigError` if the settings
 * would change it.
 */
export async function keptIdHost(
  store: KnownStore,
  options: IdHostOptions & { readonly log: Logger },
): Promise<string> {
  const { host, isKept, warning } = await idHostOf(store, options)
  if (isKept) return host
  if (warning !== undefined) options.log.warn(warning)
  const value = JSON.stringify(host)
  const expected = { ...idHostDocument, revision: 0 }
  const write = () => store.documents.write([{ ...idHostDocument, value }], expected)
  // If the store is down, the host is stored on the next start.
  if ((await withFallback(write)) ?? true) return host
  // Another replica has already stored a host.
  return (await idHostOf(store, options)).host
}

/** Determines the host like `keptIdHost`, but does not store it. The warning is for the webmaster. */
export async function idHostOf(
  { documents, otherHosts }: KnownStore,
  { siteUrl, idHost, exportedHost, configuredHosts }: IdHostOptions,
) {
  const stored = await documents.get(idHostDocument.bucket, idHostDocument.id)
  const kept = stored && idHostFrom(stored.value)
  if (stored && kept === undefined) {
    throw new ConfigError([
      'The host for ids in the store cannot be read, and ids never change. Restore a backup with --replace.',
    ])
  }
  const known = [
    { host: kept, where: 'the store' },
    { host: exportedHost, where: 'the exported files' },
  ].flatMap(({ host, where }) => (host === undefined ? [] : [{ host, where }]))
  const [first, second] = known
  if (first && second && first.host !== second.host) {
    throw new ConfigError([
      `The ids in ${second.where} use the host ${second.host}, but those in ${first.where} use ${first.host}. Export to another directory, or use the store that belongs to this one.`,
    ])
  }
  if (first && idHost !== undefined && idHost !== first.host) {
    throw new ConfigError([
      `ID_HOST is ${idHost}, but the ids in ${first.where} use the host ${first.host}, and ids never change. Set ID_HOST=${first.host}, or remove it.`,
    ])
  }
  const host = first?.host ?? idHost
  if (host !== undefined) return { host, isKept: kept !== undefined, warning: undefined }
  const own = new URL(siteUrl).hostname
  const isUsed = (await documents.all(collectionBuckets.states)).size > 0
  const unknownHosts = isUsed
    ? []
    : unknownHostsIn(await otherHosts(collectionBuckets.states, configuredHosts), own)
  const [unknownHost] = unknownHosts
  if (unknownHost === undefined) return { host: own, isKept: false, warning: undefined }
  const found = `No data is stored for ${siteUrl} yet, only for ${unknownHosts.join(', ')}. If the website has moved from there, set ID_HOST=${unknownHost}, so that subscribers keep their entries`
  // With several sites, an unknown store probably belongs to a site that was removed.
  if (configuredHosts) {
    return { host: own, isKept: false, warning: `${found}; otherwise, do nothing.` }
  }
  throw new ConfigError([`${found}; if it is another website, set ID_HOST=${own}.`])
}

/** Returns undefined if the stored value is unreadable. */
export function idHostFrom(value: string): string | undefined {
  return z.string().safeParse(parsedJson(value)).data
}

function unknownHostsIn(hosts: readonly string[], own: string): readonly string[] {
  return (
    hosts
      .map((host) => host.replace(/:\d+$/, ''))
      // Local hosts, such as a sandbox, cannot have subscribers on other machines.
      .filter((host) => host !== own && host.includes('.') && !host.startsWith('127.'))
  )
}
