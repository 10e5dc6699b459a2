import { longDayInWords, mediumDay } from '../records/date-words.ts'
import { oneLine } from '../text/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { itemDraft, summaryOf, summaryOfTexts, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, linkHtml, paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'
import type { ItemMessages } from './messages/en.ts'

type Document = RecordOf['documents']
type Minutes = RecordOf['minutes']

const maxFiles = 100

/** Returns true if a record is Online and, for the public, marked as public on the website. */
export function isDocumentShown(record: Document | Minutes, profile: Profile): boolean {
  return record.status === 'online' && (profile !== 'public' || record.public)
}

export function draftFromMinutes(minutes: Minutes, source: ItemSource) {
  const { language } = source
  const { labeled, document } = itemMessages(language)
  const day = mediumDay(minutes.meetingDate, language)
  const longDay = longDayInWords(minutes.meetingDate, undefined, language)
  return draftFromDocument(minutes, source, {
    idPrefix: 'minutes',
    titleFrom: (title) => labeled(day, title),
    firstLine: document.meeting(longDay),
  })
}

const documentKind = {
  idPrefix: 'documents',
  titleFrom: (title: string) => title,
  /** Plain text that precedes the document's own text. */
  firstLine: '',
}

export function draftFromDocument(
  document: Document,
  source: ItemSource,
  { idPrefix, titleFrom, firstLine } = documentKind,
) {
  const { id, title, text, category, files } = document
  const messages = itemMessages(source.language)
  return itemDraft(document, source, {
    idPrefix,
    title: () => titleFrom(titleOf(title, source)),
    contents: () => {
      const fileLines = files.slice(0, maxFiles).map((file) => lineFromFile(file, messages))
      return {
        summary: () => summaryOfTexts([firstLine, summaryOf(text), fileLines.join(', ')]),
        html: [
          paragraphsFrom(firstLine),
          cleanHtml(text, source.siteUrl),
          fileListHtml(fileLines, source.websiteUrlOf(id), messages),
        ],
        category: oneLine(category),
      }
    },
  })
}

/** Lists the files. The API does not include file URLs, so files cannot be links. */
function fileListHtml(
  lines: readonly string[],
  websiteUrl: string,
  { document }: ItemMessages,
): string {
  if (lines.length === 0) return ''
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  const advice = document.openFiles(lines.length, (text) => linkHtml(websiteUrl, text))
  return `<ul>${items}</ul>\n<p>${advice}</p>`
}

/** Returns `bylaws.pdf (PDF, 178 KB)`. */
function lineFromFile(
  { fileName, extension, fileSize }: Document['files'][number],
  { unnamedFile, document }: ItemMessages,
): string {
  const type = oneLine(extension).replace(/^\./, '').toUpperCase()
  const details = [type, sizeInWords(fileSize, document)].filter((part) => part !== '').join(', ')
  return `${oneLine(fileName) || unnamedFile}${details === '' ? '' : ` (${details})`}`
}

function sizeInWords(bytes: number | undefined, messages: ItemMessages['document']): string {
  if (bytes === undefined || !Number.isSafeInteger(bytes) || bytes <= 0) return ''
  const kilobytes = bytes / 1024
  if (kilobytes < 1) return messages.bytes(bytes)
  return kilobytes < 1000 ? messages.kilobytes(kilobytes) : messages.megabytes(kilobytes / 1024)
}
