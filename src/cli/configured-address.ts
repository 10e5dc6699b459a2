import type { Config } from '../config/config.ts'
import { notedPublicAddress, type PublicAddress } from '../app/public-address.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents } from '../store/store.ts'

/** As the service has it while one runs, unless the settings say otherwise. */
export async function configuredAddress(
  documents: Documents,
  { host, port, site, publicUrl }: Config,
): Promise<PublicAddress> {
  const [noted, isThere] = await Promise.all([notedPublicAddress(documents), isRunning(documents)])
  return {
    publicUrl: publicUrl ?? (isThere ? noted?.publicUrl : undefined) ?? `http://${host}:${port}`,
    timeZone: site?.timeZone ?? noted?.timeZone ?? 'UTC',
  }
}
