import { longDayInWords, shortDayInWords } from '../records/date-words.ts'
import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { daysAfter, instantFromSiteTime } from '../records/site-time.ts'
import { certificationName, certificationStates } from '../records/training-record.ts'
import { itemDraft, type ItemContents, type ItemDraft, type ItemSource } from './feed-item.ts'
import { escapeHtml } from './html.ts'

type Certification = RecordOf['training/membercerts']

/**
 * Converts certifications to items, for records that have a day on which they expire. An item appears
 * `withinDays` before that day and stays when the certification has expired. A renewed certification has
 * another id, so that feed readers show it again.
 */
export function itemsFromCertifications(
  certifications: readonly Certification[],
  source: ItemSource,
  withinDays: number,
): readonly ItemDraft[] {
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, source.timeZone)
  return certifications.map((certification) => {
    const { id, expires = '', created } = certification
    const appearsAt = instantOf(`${daysAfter(expires, -withinDays)}T00:00:00`)
    return itemDraft(
      {
        idPrefix: `training-${expires}`,
        recordId: id,
        publishedAt: created === undefined ? appearsAt : Math.max(appearsAt, instantOf(created)),
        title: () => {
          const { name, words } = wordsFor(certification, source)
          return `${name} ${words} ${shortDayInWords(expires, undefined)}`
        },
        contents: () => contentsOf(certification, source),
      },
      source,
    )
  })
}

function contentsOf(certification: Certification, source: ItemSource): ItemContents {
  const { state, expires = '', issued, certNumber } = certification
  const { name, words } = wordsFor(certification, source)
  const isFull = source.profile === 'full'
  const sentences = [
    `${name} ${words} ${longDayInWords(expires, undefined)}.`,
    `Status: ${certificationStates[state]}.`,
    isFull && issued !== undefined ? `Issued on ${longDayInWords(issued, undefined)}.` : '',
    isFull && oneLine(certNumber) !== '' ? `Certificate number: ${oneLine(certNumber)}.` : '',
  ].filter((sentence) => sentence !== '')
  return {
    summary: sentences.join(' '),
    contentHtml: sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n'),
    category: certificationName(certification),
  }
}

/** Names the certification, with its member for the profile `full`, and says `expires on`. */
function wordsFor(certification: Certification, { profile }: ItemSource) {
  const member = profile === 'full' ? oneLine(certification.member) : ''
  const name = certificationName(certification)
  return {
    name: member === '' ? name : `${member}: ${name}`,
    words: certification.state === 'expired' ? 'expired on' : 'expires on',
  }
}
