import { resolve } from 'node:path'
import { Eta } from 'eta'

export const templates = resolve(import.meta.dirname, '../../../templates')

/** Shared by all sites of the process. */
const eta = new Eta({ views: templates, autoTrim: false, cache: true })

/** Renders a template of `templates/`. Escapes by default. */
export type RenderPage = (template: string, shown: object) => string

export function createRenderPage(always: object): RenderPage {
  return (template, shown) => eta.render(`./${template}`, { ...always, ...shown })
}
