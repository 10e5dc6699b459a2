import { longDayInWords, mediumDay } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { itemDraft, summaryOf, summaryOfTexts, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, linkHtml, paragraphsFrom } from './html.ts'

type Document = RecordOf['documents']
type Minutes = RecordOf['minutes']

const maxFiles = 100

/** Returns true if a record is Online and, for the public, marked as public on the website. */
export function isDocumentShown(record: Document | Minutes, profile: Profile): boolean {
  return record.status === 'online' && (profile !== 'public' || record.public)
}

/** Converts minutes to an item, with the day of the meeting. */
export function draftFromMinutes(minutes: Minutes, source: ItemSource) {
  const titlePrefix = `${mediumDay(minutes.meetingDate, source.language)}: `
  const firstLine = `Meeting on ${longDayInWords(minutes.meetingDate, undefined, source.language)}`
  return draftFromDocument(minutes, source, 'minutes', titlePrefix, firstLine)
}

/** Converts a document to an item. `firstLine` is plain text before the document's own text. */
export function draftFromDocument(
  document: Document,
  source: ItemSource,
  idPrefix = 'documents',
  titlePrefix = '',
  firstLine = '',
) {
  const { id, title, text, category, files } = document
  return itemDraft(document, source, {
    idPrefix,
    title: () => `${titlePrefix}${titleOf(title)}`,
    contents: () => {
      const fileLines = files.slice(0, maxFiles).map(lineFromFile)
      return {
        summary: summaryOfTexts([firstLine, summaryOf(text), fileLines.join(', ')]),
        html: [
          paragraphsFrom(firstLine),
          cleanHtml(text, source.siteUrl),
          fileListHtml(fileLines, source.websiteUrlOf(id)),
        ],
        category: oneLine(category),
      }
    },
  })
}

/** Lists the files. The API does not include file URLs, so files cannot be links. */
function fileListHtml(lines: readonly string[], websiteUrl: string): string {
  if (lines.length === 0) return ''
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  const what = lines.length === 1 ? 'this file' : 'these files'
  return `<ul>${items}</ul>\n<p>Open ${what} on the ${linkHtml(websiteUrl, 'website')}.</p>`
}

/** Returns `bylaws.pdf (PDF, 178 KB)`. */
function lineFromFile({ fileName, extension, fileSize }: Document['files'][number]): string {
  const type = oneLine(extension).replace(/^\./, '').toUpperCase()
  const details = [type, sizeInWords(fileSize)].filter((part) => part !== '').join(', ')
  return `${oneLine(fileName) || 'File'}${details === '' ? '' : ` (${details})`}`
}

function sizeInWords(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isSafeInteger(bytes) || bytes <= 0) return ''
  const kilobytes = bytes / 1024
  if (kilobytes < 1) return `${bytes} bytes`
  return kilobytes < 1000 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`
}
