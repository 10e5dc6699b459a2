import type { Config } from '../config.ts'
import { notedPublicAddress, type PublicAddress } from '../public-address.ts'
import type { Documents } from '../store/store.ts'

/** As the running service has it, unless the settings say otherwise. */
export async function configuredAddress(
  documents: Documents,
  { host, port, site, publicUrl }: Config,
): Promise<PublicAddress> {
  const noted = await notedPublicAddress(documents)
  return {
    publicUrl: publicUrl ?? noted?.publicUrl ?? `http://${host}:${port}`,
    timeZone: site?.timeZone ?? noted?.timeZone ?? 'UTC',
  }
}
