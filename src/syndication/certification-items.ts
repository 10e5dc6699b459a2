import { longDayInWords, shortDayInWords } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { daysAfter, instantFromSiteTime } from '../records/site-time.ts'
import { certificationName, certificationStates, statusLabel } from '../records/training-record.ts'
import { itemDraft, type ItemContents, type ItemDraft, type ItemSource } from './feed-item.ts'
import { escapeHtml } from './html.ts'

type Certification = RecordOf['training/membercerts']

/**
 * Converts certifications to items, for records that have a day on which they expire. An item appears
 * `withinDays` before that day, and another one with the same id replaces it after that day. A renewed
 * certification has another id, so that feed readers show it again.
 */
export function itemsFromCertifications(
  certifications: readonly Certification[],
  source: ItemSource,
  withinDays: number,
): readonly ItemDraft[] {
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, source.timeZone)
  return certifications.flatMap((certification) => {
    const { id, expires = '', created } = certification
    const nearAt = instantOf(`${daysAfter(expires, -withinDays)}T00:00:00`)
    const expiredAt = instantOf(`${daysAfter(expires, 1)}T00:00:00`)
    const draft = {
      idPrefix: `training-${expires}`,
      recordId: id,
      publishedAt: created === undefined ? nearAt : Math.max(nearAt, instantOf(created)),
    }
    const texts = (verb: string) => ({
      title: () =>
        `${nameOf(certification, source)} ${verb} ${shortDayInWords(expires, undefined)}`,
      contents: () => contentsOf(certification, verb, source),
    })
    return [
      itemDraft({ ...draft, ...texts('expires on'), expiresAt: expiredAt }, source),
      itemDraft({ ...draft, ...texts('expired on'), replacesAt: expiredAt }, source),
    ]
  })
}

function contentsOf(certification: Certification, verb: string, source: ItemSource): ItemContents {
  const { state, expires = '', issued, certNumber } = certification
  const isFull = source.profile === 'full'
  const sentences = [
    `${nameOf(certification, source)} ${verb} ${longDayInWords(expires, undefined)}.`,
    `${statusLabel}: ${certificationStates[state]}.`,
    isFull && issued !== undefined ? `Issued on ${longDayInWords(issued, undefined)}.` : '',
    isFull && oneLine(certNumber) !== '' ? `Certificate number: ${oneLine(certNumber)}.` : '',
  ].filter((sentence) => sentence !== '')
  return {
    summary: sentences.join(' '),
    contentHtml: sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n'),
    category: certificationName(certification),
  }
}

/** Names the certification, with its member for the profile `full`. */
function nameOf(certification: Certification, { profile }: ItemSource): string {
  const member = profile === 'full' ? oneLine(certification.member) : ''
  const name = certificationName(certification)
  return member === '' ? name : `${member}: ${name}`
}
