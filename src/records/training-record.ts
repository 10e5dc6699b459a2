import { z } from 'zod'
import * as field from './fields.ts'
import { oneLine } from '../text/plain-text.ts'
import { recordMessages } from './record-messages.ts'
import { compareText } from '../text/text.ts'

const isOnline = field.oneOf({ 0: 'offline', 1: 'online' })

const dates = { created: field.optionalDateTime, modified: field.optionalDateTime }

export const presentationSchema = z.object({
  id: field.id,
  ...field.texts('title', 'description'),
  status: isOnline,
  hours: field.optionalNumber,
  ...dates,
})

export const quizSchema = presentationSchema.extend({
  graded: field.flag,
  passScore: field.optionalNumber,
  maxAttempts: field.optionalNumber,
})

export const certificationSchema = z.object({
  id: field.id,
  ...field.texts('name', 'description'),
  status: isOnline,
  expiryMonths: field.optionalNumber,
  ...dates,
})

const certificationState = field.oneOf({
  0: 'pending',
  1: 'active',
  2: 'expiring soon',
  3: 'expired',
})

// The content hash depends on the order of the fields.
const certification = z.object({
  id: field.id,
  status: certificationState,
  memberId: field.optionalNumber,
  member: field.text,
  certId: field.optionalNumber,
  certName: field.text,
  issued: field.optionalDate,
  expires: field.optionalDate,
  certNumber: field.text,
  ...dates,
})

/**
 * A member's certification. It has `state` instead of the `status` of other records, because the
 * state does not determine whether the website shows the certification, except that a pending one
 * has not been approved yet.
 */
export const memberCertificationSchema = certification.transform(({ status: state, ...shown }) => ({
  ...shown,
  state,
  status: state === 'pending' ? ('pending' as const) : ('online' as const),
}))

/**
 * The parts of a member's certification that determine when it expires. The member's name and the
 * certificate's number are not needed, so they are not read. There is no status, as in
 * `memberCertificationSchema`.
 */
export const certificationExpirySchema = certification
  .pick({ id: true, status: true, memberId: true, certId: true, certName: true, expires: true })
  .transform(({ status: state, ...shown }) => ({ ...shown, state }))

export function certificationName(
  { certName }: { readonly certName: string },
  language: string,
): string {
  return oneLine(certName) || recordMessages(language).certification.unnamed
}

type Certification = Omit<z.output<typeof certificationExpirySchema>, 'memberId'>

/**
 * Returns a member's certifications that have an expiration date. If there are several records of
 * the same certification, only the one that is valid the longest counts.
 */
export function expiringCertifications<T extends Certification>(
  certifications: readonly T[],
): readonly (T & { readonly expires: string })[] {
  const byCertification = Map.groupBy(certifications, ({ certId, certName }) => certId ?? certName)
  return [...byCertification.values()].flatMap((same) => {
    const [latest] = same.toSorted((a, b) => compareText(endOf(b), endOf(a)) || b.id - a.id)
    const { expires } = latest ?? {}
    return latest && expires !== undefined ? [{ ...latest, expires }] : []
  })
}

/** Returns when a certification expires. One without a date never expires, so it sorts last. */
function endOf({ expires }: Certification): string {
  return expires ?? '9999-12-31'
}
