import { settingsDocument } from '../config/stored-settings.ts'
import type { LinkService } from '../links/link-service.ts'
import { linkBuckets } from '../links/stored-links.ts'
import type { EmergencyEditor } from '../site/emergency-text.ts'
import type { SettingsStore } from '../site/settings-store.ts'
import { isConfirmed } from '../store/replicas.ts'
import type { Store } from '../store/store.ts'
import { Unavailable } from '../web/errors.ts'

/*
 * Changes that must not be undone. An admin sees that they are saved only once all replicas remember
 * them, because Redis can lose them while the replica that made them is killed.
 */

const notConfirmedText =
  'The change is saved, but another replica has not confirmed it within five seconds. If Redis loses its latest data now, the change may be undone. Check it in half a minute.'
const checkAgainMs = 30_000

const settingsBuckets = [settingsDocument.bucket]

/** Resolves once all replicas remember these buckets. Throws `Unavailable` if they take too long. */
async function confirm({ confirmed }: Store, buckets: readonly string[]): Promise<void> {
  const confirmation = await confirmed?.(buckets)
  if (confirmation && !isConfirmed(confirmation)) {
    throw new Unavailable(notConfirmedText, checkAgainMs)
  }
}

export function confirmedLinks(links: LinkService, store: Store): LinkService {
  return {
    ...links,
    async edit(...edit) {
      const edited = await links.edit(...edit)
      if (edited.ok) await confirm(store, linkBuckets)
      return edited
    },
    async renew(...renewal) {
      const renewed = await links.renew(...renewal)
      // The new key is shown only once, so no error may take its place.
      await store.confirmed?.(linkBuckets)
      return renewed
    },
    async revoke(id) {
      const revoked = await links.revoke(id)
      if (revoked) await confirm(store, linkBuckets)
      return revoked
    },
  }
}

export function confirmedEmergency(emergency: EmergencyEditor, store: Store): EmergencyEditor {
  const confirmedChange = async (changing: Promise<boolean>): Promise<boolean> => {
    const isChanged = await changing
    if (isChanged) await confirm(store, settingsBuckets)
    return isChanged
  }
  return {
    ...emergency,
    show: (text) => confirmedChange(emergency.show(text)),
    clear: (what) => confirmedChange(emergency.clear(what)),
  }
}

export function confirmedSettings(settings: SettingsStore, store: Store): SettingsStore {
  return {
    ...settings,
    async save(...saved) {
      const isSaved = await settings.save(...saved)
      if (isSaved) await confirm(store, settingsBuckets)
      return isSaved
    },
  }
}
