export const profiles = ['public', 'members', 'full'] as const

/** How much a reader may see: anyone, a member, or somebody who may see everything. */
export type Profile = (typeof profiles)[number]
