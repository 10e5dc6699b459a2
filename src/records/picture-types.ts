/** Media types of pictures by URL. */
export type PictureTypes = Readonly<Record<string, string>>
