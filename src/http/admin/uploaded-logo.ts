import { createHash } from 'node:crypto'
import { uploadedLogo } from '../../config/stored-settings.ts'
import { resizedLogo } from '../../pictures/icon-drawing.ts'
import type { Documents, Write } from '../../store/store.ts'

/** Stored separately from the other settings, which are read every few seconds. */
const { bucket, id } = { bucket: 'settings', id: 'logo' }

const dataUrlStart = 'data:image/png;base64,'

export const isUploaded = (logo: string | undefined) => logo?.startsWith(uploadedLogo) === true

/**
 * Returns the setting and the document for an uploaded picture, or undefined if it cannot be used.
 */
export async function logoFromUpload(
  dataUrl: string,
): Promise<{ readonly logo: string; readonly write: Write } | undefined> {
  const picture = Buffer.from(dataUrl.replace(/^data:[^,]*,/, ''), 'base64')
  const value = (await resizedLogo(picture))?.toString('base64')
  if (value === undefined) return undefined
  const hash = createHash('sha256').update(value).digest('base64url').slice(0, 12)
  return { logo: `${uploadedLogo}${hash}`, write: { bucket, id, value } }
}

/** Returns a logo's path or URL, which for an uploaded logo contains the picture itself. */
export async function logoWithContent(
  documents: Documents,
  logo: string | undefined,
): Promise<string | undefined> {
  if (!isUploaded(logo)) return logo
  const stored = await documents.get(bucket, id)
  return stored && `${dataUrlStart}${stored.value}`
}
