const office = 'application/vnd.openxmlformats-officedocument'

/** Media types by file name extension. */
const types = new Map(
  `avif image/avif, csv text/csv, doc application/msword, docx ${office}.wordprocessingml.document,
  gif image/gif, heic image/heic, heif image/heif, jpeg image/jpeg, jpg image/jpeg, m4a audio/mp4,
  mov video/quicktime, mp3 audio/mpeg, mp4 video/mp4, ogg audio/ogg, pdf application/pdf,
  png image/png, ppt application/vnd.ms-powerpoint, pptx ${office}.presentationml.presentation,
  rtf application/rtf, txt text/plain, wav audio/wav, webm video/webm, webp image/webp,
  xls application/vnd.ms-excel, xlsx ${office}.spreadsheetml.sheet, zip application/zip`
    .split(/,\s+/)
    .map((line) => line.split(' ') as [string, string]),
)

/** Returns the media type for the extension of a file name or URL. */
export function fileTypeOf(name: string): string | undefined {
  const [, extension = ''] = /\.([a-z\d]{1,10})(?:[?#]|$)/i.exec(name) ?? []
  return types.get(extension.toLowerCase())
}

/** Matches a "#" that is part of a file name, rather than the start of a fragment. */
const extensions = [...types.keys()].join('|')
const numberSign = new RegExp(`#(?=[^/?]{0,200}\\.(?:${extensions})(?:\\?|$))`, 'gi')

/** Longer addresses belong to no file or player. */
export const maxAddressLength = 4_000

/** Returns an address with the "%" and "#" in file names percent-encoded. */
export function withEncodedFileName(address: string): string {
  if (address.length > maxAddressLength || !/[%#]/.test(address)) return address
  return address
    .trim()
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replace(numberSign, '%23')
}
