import { DateTime } from 'luxon'
import type { Profile } from '../records/profile.ts'
import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import {
  asSentence,
  itemDraft,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
  instantOrFirstSeen,
} from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'

type Document = RecordOf['documents']
type Minutes = RecordOf['minutes']

/** Maximum number of files listed per document. */
const maxFiles = 100

/** Returns true for Online records, which the public sees only if the website shows them to it. */
export function isDocumentShown(record: Document | Minutes, profile: Profile): boolean {
  return record.status === 'online' && (profile !== 'public' || record.public)
}

/** Converts documents to items. */
export function itemsFromDocuments(
  documents: readonly Document[],
  source: ItemSource,
): readonly ItemDraft[] {
  return documents.map((each) => draftFrom(each, { idPrefix: 'documents', facts: [] }, source))
}

/** Converts minutes to items, with the day of the meeting. */
export function itemsFromMinutes(
  minutes: readonly Minutes[],
  source: ItemSource,
): readonly ItemDraft[] {
  return minutes.map((each) => {
    const day = DateTime.fromISO(each.meetingDate, { zone: 'utc', locale: 'en' })
    const about = {
      idPrefix: 'minutes',
      titlePrefix: `${day.toFormat('LLL d, yyyy')}: `,
      facts: [`Meeting on ${day.toFormat('cccc, LLLL d, yyyy')}`],
    }
    return draftFrom(each, about, source)
  })
}

type About = {
  readonly idPrefix: string
  readonly titlePrefix?: string
  /** Lines of plain text before the document's own text. */
  readonly facts: readonly string[]
}

function draftFrom(document: Document, about: About, source: ItemSource): ItemDraft {
  const { id, created } = document
  return itemDraft(
    {
      idPrefix: about.idPrefix,
      recordId: id,
      publishedAt: instantOrFirstSeen(created, id, source),
      title: () => `${about.titlePrefix ?? ''}${titleOf(document.title)}`,
      contents: (title) => contentsOf(document, title, about, source),
    },
    source,
  )
}

function contentsOf(
  { id, text, category, files }: Document,
  title: string,
  { facts }: About,
  { siteUrl, websiteUrlOf }: ItemSource,
): ItemContents {
  const fileLines = files.slice(0, maxFiles).map(lineFromFile)
  const content = [
    ...facts.map((fact) => `<p>${escapeHtml(fact)}</p>`),
    cleanHtml(text, siteUrl),
    fileListHtml(fileLines, websiteUrlOf(id)),
  ]
    .filter((part) => part !== '')
    .join('\n')
  const sentences = [...facts, summaryOf(text), fileLines.join(', ')]
    .filter((part) => part !== '')
    .map(asSentence)
  return {
    summary: summaryOf(escapeHtml(sentences.join(' '))),
    contentHtml: content || `<p>${escapeHtml(title)}</p>`,
    category: oneLine(category),
  }
}

/** Lists the files. The website gives no URLs of files, so they cannot be links. */
function fileListHtml(lines: readonly string[], websiteUrl: string): string {
  if (lines.length === 0) return ''
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  const what = lines.length === 1 ? 'this file' : 'these files'
  const link = `<a href="${escapeHtml(websiteUrl)}" rel="noopener noreferrer nofollow">website</a>`
  return `<ul>${items}</ul>\n<p>Open ${what} on the ${link}.</p>`
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
