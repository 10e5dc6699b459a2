import { Router, type RequestHandler } from 'express'
import { accentColors } from '../../feeds/accent-color.ts'
import type { SiteContext } from '../context.ts'
import { linkPrefix, requireReadable } from '../feeds/viewer.ts'
import { parametersOf } from '../feeds/list-filters.ts'
import { allowFraming } from '../server/security-headers.ts'
import { accentStyle } from './assets.ts'
import { createEmbedContent } from './embed-content.ts'
import { elementPath, sendElement } from './embed-element.ts'
import { embedOptionsFor, embedsOf, type Embed } from './embed-options.ts'
import { pageHandler, type ShowPage } from './page-handler.ts'

const freshSeconds = 300
const daySeconds = 86_400

/** Lets elements on any page read an embed, its style and its scripts. */
const allowReading: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*')
  response.set('Cross-Origin-Resource-Policy', 'cross-origin')
  next()
}

/** Sends an accent color, which replaces those of the calendars. */
const sendAccent: RequestHandler = ({ params }, response, next) => {
  const [, color] = /^([\da-f]{6})\.css$/.exec(String(params['name'])) ?? []
  if (color === undefined) return next()
  response.set('Cache-Control', `public, max-age=${daySeconds}`)
  const sources = '.embed [data-source] { --source: var(--accent); }\n'
  response.type('css').send(accentStyle(accentColors(`#${color}`)) + sources)
}

/**
 * Serves lists, cards and months to show in the organization's own pages, publicly and under feed links.
 * Accepts feed options that select entries.
 */
export function embedRoutes(context: SiteContext): Router {
  const { catalog, render, basePath } = context
  const contentFor = createEmbedContent(context)
  const router = Router({ caseSensitive: true, strict: true })

  const show =
    (embed: Embed): ShowPage =>
    async ({ request, response, viewer, query, now }) => {
      const { base, link } = viewer
      if (embed.feed) requireReadable(embed.feed, viewer)
      const content = await contentFor(embed, { viewer, query, ip: request.ip ?? '', now })
      if (!content) return undefined
      if (!link) response.set('Cache-Control', `public, max-age=${freshSeconds}`)
      const { accent } = content.chosen
      return render('embed', {
        ...content,
        embed,
        base: `${base}/`,
        accentPath: accent && `${basePath}/embed/accent/${accent}.css`,
      })
    }

  for (const embed of embedsOf(catalog.feeds)) {
    const own = parametersOf(embed.feed ? [embed.feed] : [], embedOptionsFor(embed))
    const parameters = embed.feed ? own : ['show', ...own]
    const handler = pageHandler(context, show(embed), { parameters })
    const path = `/embed/${embed.id}`
    router.get(path, allowFraming(), allowReading, handler)
    router.get(`${linkPrefix}${path}`, allowFraming(), handler)
  }
  router.get('/embed/accent/:name', allowReading, sendAccent)
  router.get(elementPath, allowReading, sendElement)
  return router
}
