import express, { type Express } from 'express'
import { keptFor, type SiteContext } from '../../src/web/context.ts'

/** Returns a context that has only these parts. */
export function contextWith(parts: {
  readonly [Name in keyof SiteContext]?: Partial<SiteContext[Name]>
}): SiteContext {
  const context = { kept: keptFor(() => context), ...parts } as SiteContext
  return context
}

/** Creates an application whose requests are for a site. */
export function applicationFor(site: SiteContext): Express {
  return express().use((_request, response, next) => {
    response.locals['site'] = site
    next()
  })
}
