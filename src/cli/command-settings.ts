import { servedSettings, type ServedSettings } from '../app/served-settings.ts'
import type { Config, SiteSettings } from '../config/config.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'
import { UsageError } from './user-errors.ts'

/**
 * Returns the settings with which a command shows what the service would. Prints a warning if they make
 * other feeds public than the environment. Throws a `UsageError` if the public feeds are unknown.
 */
export async function commandSettings(
  config: Config & { readonly site: SiteSettings },
  store: Store,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<ServedSettings> {
  const served = await servedSettings(config, store)
  if (served.unknown) throw new UsageError(unknownText(served.unknown))
  const { publicFeeds = defaultPublicFeeds } = config
  const [saved, given] = [served.config.publicFeeds, publicFeeds].map(listOf)
  if (saved !== given) {
    stderr.write(
      `Warning: The public feeds are those saved on the admin page (${saved}), not those in PUBLIC_FEEDS (${given}).\n`,
    )
  }
  return served
}

export function unknownText(state: NonNullable<ServedSettings['unknown']>): string {
  return `The settings saved on the admin page are ${state}, so it is unknown which feeds are public. Restore a backup, or start the service, check the settings on the admin page and save them.`
}

function listOf(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : [...new Set(ids)].toSorted().join(', ')
}
