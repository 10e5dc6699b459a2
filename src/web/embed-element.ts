import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { templates } from './templates.ts'
import { elementScripts } from './assets.ts'

const [latest] = elementScripts
const bytes = readFileSync(join(templates, 'embed', latest))

/** Path of the latest version, for pages that do not pin one. */
export const elementPath = '/feedhouse-events.js'

/** The latest version, with its hash for the attribute `integrity`. */
export const elementScript = {
  name: latest,
  integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
}

/** Sends the latest version. Its path stays the same, so caches must revalidate it. */
export const sendElement: RequestHandler = (_request, response) => {
  response.type('text/javascript').send(bytes)
}
