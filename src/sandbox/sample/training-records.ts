import type { TrainingRecord } from '../resources/training.ts'
import { plusDays } from '../site-dates.ts'
import { memberNames } from './members.ts'
import { pick } from './weeks.ts'

type Course = readonly [title: string, description: string, hours: number]

const presentations: readonly Course[] = [
  ['Bloodborne pathogens', 'Yearly refresher.', 1],
  ['Reading smoke', '<p>Volume, velocity, density, color.</p>', 1.5],
  ['Foam operations', 'Eductors & expansion rates', 2],
  ['Lithium batteries', 'What changed, and what did not.', 0.75],
  ['Officer candidates: incident command', 'By invitation.', 3],
]

const certifications = [
  ['CPR/AED', 24],
  ['Firefighter I', 0],
  ['EMT-Basic', 36],
  ['Hazmat Operations', 12],
] as const

type Ending = { readonly index: number; readonly months: number }
/** Certifications that expire, each with its index in the list of all certifications. */
const endingCertifications: readonly [Ending, ...Ending[]] = [
  { index: 0, months: 24 },
  { index: 2, months: 36 },
  { index: 3, months: 12 },
]

const expiringSoonDays = 90
const created = '2024-01-08 08:30:00'

export function sampleTrainingRecords(today: string): readonly TrainingRecord[] {
  return [
    ...presentations.map(presentationFrom),
    ...presentations.map(quizFrom),
    ...certifications.map(certificationFrom),
    ...[...memberNames].flatMap(([memberId, member]) => memberCertsOf(memberId, member, today)),
  ]
}

function courseFrom([title, description, hours]: Course, index: number) {
  const isLast = index === presentations.length - 1
  return {
    id: index + 1,
    title,
    description,
    // One course is being revised.
    status: index === 2 ? 0 : 1,
    hours,
    created,
    modified: index % 2 === 0 ? '2025-03-11 19:00:00' : '',
    restrictedTo: isLast ? [3, 4, 5] : [],
  } as const
}

function presentationFrom(course: Course, index: number): TrainingRecord {
  return { type: 'presentations', ...courseFrom(course, index) }
}

function quizFrom(course: Course, index: number): TrainingRecord {
  const graded = index % 2 === 0 ? 1 : 0
  return {
    type: 'quizzes',
    ...courseFrom(course, index),
    hours: 0.25,
    graded,
    passScore: graded === 1 ? 80 : 0,
    maxAttempts: graded === 1 ? 3 : 0,
  }
}

function certificationFrom(
  [name, expiryMonths]: (typeof certifications)[number],
  index: number,
): TrainingRecord {
  return {
    type: 'certifications',
    id: index + 1,
    name,
    description: expiryMonths === 0 ? 'Does not expire.' : '',
    status: 1,
    expiryMonths,
    created,
    modified: '',
    restrictedTo: [],
  }
}

/**
 * Returns two certifications per member. One never expires, and the other is reissued every year.
 * The expiry dates are spread over the months around today.
 */
function memberCertsOf(memberId: number, member: string, today: string): readonly TrainingRecord[] {
  const lastYear = Number(today.slice(0, 4)) - 1
  const expires = plusDays(`${lastYear}-01-15`, memberId * 36)
  const { index, months } = pick(endingCertifications, memberId)
  const issued = plusDays(expires, -30 * months)
  const joined = plusDays('2015-03-01', memberId * 36)
  return [
    memberCert(lastYear * 1000 + memberId, { memberId, member, index, issued, expires }, today),
    memberCert(memberId, { memberId, member, index: 1, issued: joined, expires: '' }, today),
  ]
}

function memberCert(
  id: number,
  cert: { memberId: number; member: string; index: number; issued: string; expires: string },
  today: string,
): TrainingRecord {
  const { memberId, member, index, issued, expires } = cert
  const [certName] = certifications[index] ?? certifications[0]
  return {
    type: 'membercerts',
    id,
    status: memberId % 8 === 0 ? 0 : certStatus(expires, today),
    memberId,
    member,
    certId: index + 1,
    certName,
    issued,
    expires,
    certNumber: `${certName.slice(0, 2).toUpperCase()}-${String(4000 + id)}`,
    created: `${issued} 12:00:00`,
    modified: '',
  }
}

/** 1 = Active, 2 = Expiring Soon, 3 = Expired. */
function certStatus(expires: string, today: string): 1 | 2 | 3 {
  if (expires === '' || expires > plusDays(today, expiringSoonDays)) return 1
  return expires > today ? 2 : 3
}
