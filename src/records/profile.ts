/** How much a reader may see: anyone, a member, or somebody who may see everything. */
export type Profile = 'public' | 'members' | 'full'
