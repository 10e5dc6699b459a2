import type { ServerConfig, SiteConfig } from './config.ts'
import { mountPointFrom } from './mount-point.ts'

/** The settings of one of several sites, and their faults. */
export type SiteReading = {
  readonly name: string
  readonly config: SiteConfig
  readonly place: ReturnType<typeof mountPointFrom> | undefined
  readonly secretFiles: readonly string[]
  readonly faults: readonly string[]
}

/** Returns a fault if a site is at the URL of the page with all sites or the county page, or hides it. */
export function sitesUrlFaults(
  { sitesUrl, countyName }: ServerConfig,
  readings: readonly SiteReading[],
): readonly string[] {
  if (sitesUrl === undefined) return []
  const { host, name } = mountPointFrom(sitesUrl)
  const clash = readings.find(
    ({ place }) => place?.host === host && (place.name === name || place.name === ''),
  )
  if (clash) return [`SITES_URL is at the PUBLIC_URL of ${clash.name}: choose another URL.`]
  const hiding = readings.find(
    ({ place }) => place?.host === host && name === '' && /^\/county(?:\.|$)/.test(place.name),
  )
  return countyName !== undefined && hiding
    ? [`The county page is at the PUBLIC_URL of ${hiding.name}: choose another SITES_URL.`]
    : []
}

/** Adds a fault for each value that must be unique but is also used by an earlier site. */
export function withClashes(reading: SiteReading, all: readonly SiteReading[]): SiteReading {
  const before = all.slice(0, all.indexOf(reading))
  const { site } = reading.config
  const { place } = reading
  const faults = before.flatMap(({ name, config, place: other }) => {
    const isSameHost = place !== undefined && place.host === other?.host
    const token = site?.refreshToken
    return [
      ...(site && site.url === config.site?.url ? [`SITE_URL is already used by ${name}.`] : []),
      ...(token !== undefined && token === config.site?.refreshToken
        ? [
            `SITE_REFRESH_TOKEN is already used by ${name}, so both sites would share its API calls.`,
          ]
        : []),
      ...(hasSameIdHost(reading.config, config)
        ? [`ID_HOST is already used by ${name}: each site needs its own.`]
        : []),
      ...(isSameHost && place.name === other?.name
        ? [`PUBLIC_URL is already used by ${name}.`]
        : []),
      ...(isSameHost && place.name !== other?.name && (place.name === '' || other?.name === '')
        ? [
            `PUBLIC_URL is on a host that ${name} already uses: give each site a path, like /${name}.`,
          ]
        : []),
    ]
  })
  return {
    ...reading,
    faults: [...reading.faults, ...faults.map((fault) => `Site ${reading.name}: ${fault}`)],
  }
}

/**
 * Returns true if ID_HOST gives two sites the same id host. Sites that differ only in their port
 * may share an id host.
 */
function hasSameIdHost(some: SiteConfig, other: SiteConfig): boolean {
  if (some.idHost === undefined && other.idHost === undefined) return false
  const [host, otherHost] = [some, other].map(
    ({ idHost, site }) => idHost ?? (site && new URL(site.url).hostname),
  )
  return host !== undefined && host === otherHost
}
