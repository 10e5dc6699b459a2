import { z } from 'zod'
import * as field from './fields.ts'

const isOnline = field.oneOf({ 0: 'offline', 1: 'online' })

const dates = { created: field.optionalDateTime, modified: field.optionalDateTime }

export const presentationSchema = z.object({
  id: field.id,
  title: field.text,
  description: field.text,
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
  name: field.text,
  description: field.text,
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

export const memberCertificationSchema = z.object({
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
 * The parts of a member's certification that say when it expires. The member's name and the
 * certificate's number are not needed, so they are not read. `state` has another name than the status
 * of other records, because it does not decide whether the website shows the certification.
 */
export const certificationExpirySchema = z
  .object({
    id: field.id,
    status: certificationState,
    memberId: field.optionalNumber,
    certId: field.optionalNumber,
    certName: field.text,
    expires: field.optionalDate,
  })
  .transform(({ status: state, ...certification }) => ({ ...certification, state }))
