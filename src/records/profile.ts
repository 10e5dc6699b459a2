/** In ascending order. Each profile sees everything that the ones before it see. */
export const profiles = ['public', 'members', 'full'] as const

/** Amount of detail that a reader may see: public, members only, or everything. */
export type Profile = (typeof profiles)[number]
