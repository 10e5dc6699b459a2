import type { Member } from '../resources/members.ts'

const ranks = {
  1: 'Chief',
  2: 'Assistant Chief',
  3: 'Captain',
  4: 'Lieutenant',
  5: 'Firefighter',
  6: 'Probationary Firefighter',
  7: 'EMT',
  8: 'Life Member',
} as const

const memberTypes = { 1: 'Active', 2: 'Social', 3: 'Junior' } as const

type Draft = readonly [
  firstName: string,
  middleInitial: string,
  lastName: string,
  rankId: keyof typeof ranks,
  memberTypeId: keyof typeof memberTypes,
  street: string,
]

const drafts: readonly Draft[] = [
  ['Alex', 'J', 'Brennan', 1, 1, '4 Chapel Street'],
  ['Dana', '', 'Marsh', 2, 1, '18 Mill Road'],
  ['Pat', 'O', 'Okafor', 3, 1, '77 Orchard Lane'],
  ['Robin', '', 'Vale', 3, 1, '9 Station Court'],
  ['Jordan', 'L', 'Reyes', 4, 1, '210 County Route 9'],
  ['Sam', '', 'Lindqvist', 4, 1, '31 Miller Pond Road'],
  ['Casey', 'M', "O'Rourke", 4, 1, '5 Railroad Street'],
  ['Taylor', '', 'Nguyen', 5, 1, '62 Main Street'],
  ['Morgan', 'A', 'Abernathy-Schultz', 5, 1, '14 Quarry Hill'],
  ['Jamie', '', 'Santos', 5, 1, '88 Main Street'],
  ['Avery', 'T', 'Kowalski', 5, 1, '3 Fox Run'],
  ['Riley', '', 'Hassan', 5, 1, '40 Orchard Lane'],
  ['Quinn', 'E', 'Dubois', 5, 1, '12 Chapel Street'],
  ['Drew', '', 'Park', 5, 1, '7 Willow Bend'],
  ['Skyler', 'R', 'Müller', 5, 1, '29 Railroad Street'],
  ['Rowan', '', 'Castellano', 7, 1, '16 Willow Bend'],
  ['Emerson', 'D', 'Whitlock', 7, 1, '101 County Route 9'],
  ['Finley', '', 'Ito', 7, 1, '8 Quarry Hill'],
  ['Hayden', 'S', 'Mbeki', 6, 1, '55 Main Street'],
  ['Reese', '', 'Halloran', 6, 1, '2 Station Court'],
  ['Parker', 'W', 'Sorensen', 6, 1, '33 Fox Run'],
  ['Charlie', '', 'Nowak', 6, 3, '46 Miller Pond Road'],
  ['Frances', 'B', 'Ellery', 8, 2, '21 Chapel Street'],
  ['Leslie', '', 'Tran', 8, 2, '90 Orchard Lane'],
]

export function sampleMembers(): readonly Member[] {
  return drafts.map(memberFrom)
}

/** Full names by member id. */
export const memberNames: ReadonlyMap<number, string> = new Map(
  sampleMembers().map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]),
)

function memberFrom(
  [firstName, middleInitial, lastName, rankId, memberTypeId, address1]: Draft,
  index: number,
): Member {
  const number = index + 1
  const login = `${firstName}.${lastName}`.toLowerCase().replace(/[^a-z.]/g, '')
  const hasSecondPhone = number % 3 === 0
  return {
    id: number,
    deptId: `CH-${String(100 + number)}`,
    firstName,
    middleInitial,
    lastName,
    rankId,
    rank: ranks[rankId],
    memberTypeId,
    memberType: memberTypes[memberTypeId],
    phone1: `555-01${String(number).padStart(2, '0')}`,
    phone1Type: 'Cell',
    phone2: hasSecondPhone ? `555-02${String(number).padStart(2, '0')}` : '',
    phone2Type: hasSecondPhone ? 'Home' : '',
    phone3: '',
    phone3Type: '',
    email: number % 5 === 0 ? '' : `${login}@cedarhollow.example`,
    address1,
    address2: number % 11 === 0 ? 'Apt. 2' : '',
    city: 'Cedar Hollow',
    state: number === drafts.length ? '' : 'New York',
    zip: '00000',
  }
}
