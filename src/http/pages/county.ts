import { isDeepStrictEqual } from 'node:util'
import type { TimeSource } from '../../clock.ts'
import type { ServerConfig } from '../../config/config.ts'
import type { NamedSite } from '../../config/sites-config.ts'
import { createCountyPages } from './county-routes.ts'
import { createDepartmentReader, type ListedDepartment } from './department-feeds.ts'
import type { Logger } from '../../log.ts'
import type { Purges } from '../front/protocol.ts'
import type { Rejections } from '../server/rejections.ts'

/** Distinguishes the county page from sites, whose names have no underscore. */
const countySite = '_county'

/** The county page and its feeds. */
export type HostedCounty = {
  /** Passes other requests on. */
  readonly handler: ReturnType<typeof createCountyPages>
  /** Lists the departments among these sites from now on. */
  readonly changeSites: (sites: readonly NamedSite[]) => void
}

/**
 * Creates the county page. Returns undefined without a name and a URL for it. It reads the departments'
 * public feeds through the server, like any other client. So it does not matter which worker has a
 * department, and the page cannot show anything that is not public.
 */
export function createHostedCounty(
  { countyName: name, sitesUrl: publicUrl }: Pick<ServerConfig, 'countyName' | 'sitesUrl'>,
  options: {
    readonly server: {
      readonly url: string
      readonly front: Purges
      readonly rejections: Rejections
    }
    readonly clock: TimeSource
    readonly log: Logger
  },
): HostedCounty | undefined {
  if (name === undefined || publicUrl === undefined) return undefined
  const { server, clock, log } = options
  const reader = createDepartmentReader({ serverUrl: server.url, removed: replace, clock, log })
  let listed: readonly ListedDepartment[] = []
  let timeZone = 'Etc/UTC'
  let hasStarted = false
  let current = createPages({ name, publicUrl })

  async function departments() {
    const read = await reader.departments()
    if (read && !hasStarted) {
      hasStarted = true
      // Drops the responses from before a restart.
      server.front.remove(countySite)
    }
    return read
  }

  function createPages(about: { readonly name: string; readonly publicUrl: string }) {
    const { rejections } = server
    const county = { ...about, timeZone }
    const site = countySite
    const handler = createCountyPages({ county, departments, site, rejections, clock, log })
    return { about, handler }
  }

  /** Makes sure that nothing from before is sent. */
  function replace(): void {
    current = createPages(current.about)
    server.front.remove(countySite)
  }

  return {
    handler: (...asked) => current.handler(...asked),
    changeSites(sites) {
      const inCounty = sites.filter(({ config }) => config.isInCounty)
      const changed = inCounty.map(({ config: { site, publicUrl: url } }) => ({
        name: site.name,
        place: site.identity?.place,
        publicUrl: url,
        websiteUrl: site.url,
      }))
      if (isDeepStrictEqual(changed, listed)) return
      const isFirst = listed.length === 0
      listed = changed
      timeZone = inCounty[0]?.config.site.timeZone ?? 'Etc/UTC'
      reader.list(changed)
      if (isFirst) current = createPages(current.about)
      else replace()
    },
  }
}
