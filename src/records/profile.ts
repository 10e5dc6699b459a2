export const profiles = ['public', 'members', 'full'] as const

/** Amount of detail a reader may see: public, members, or everything. */
export type Profile = (typeof profiles)[number]
