import type { SiteContext } from '../../src/http/context.ts'

/** Returns a context that has only these parts. */
export function contextWith(parts: {
  readonly [Name in keyof SiteContext]?: Partial<SiteContext[Name]>
}): SiteContext {
  return parts as SiteContext
}
