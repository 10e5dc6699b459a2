import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { startHttpServer } from './http-server.ts'

type Rule = { readonly pattern: string; readonly headers: readonly (readonly [string, string])[] }

/** Content types by file extension, the same as on real hosts. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.jpeg': 'image/jpeg',
  '.ics': 'text/calendar',
}

/**
 * Starts a server that hosts static files and ignores query strings. Applies `_headers` like
 * Netlify and Cloudflare Pages, which combine several rules for the same header. If `isPlain` is
 * true, adds no headers.
 */
export async function startStaticHost(
  directory: string,
  isPlain = false,
  now: () => number = Date.now,
) {
  let isDown = false
  let known: { readonly text: string; readonly rules: readonly Rule[] } | undefined

  /** Returns the rules of the latest export. */
  function currentRules(): readonly Rule[] {
    const text = rulesText(directory)
    if (known?.text !== text) known = { text, rules: parseRules(text) }
    return known.rules
  }

  const url = await startHttpServer((request, response) => {
    if (isDown) return void request.socket.destroy()
    const [path = '/'] = (request.url ?? '/').split('?')
    const candidates = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`]
    const file = candidates.map((each) => join(directory, each)).find(isFile)
    const found = file ?? join(directory, '404.html')
    response.statusCode = file ? 200 : 404
    response.setHeader('Date', new Date(now()).toUTCString())
    response.setHeader('Content-Type', types[extname(found)] ?? 'application/octet-stream')
    response.setHeader('Last-Modified', statSync(found).mtime.toUTCString())
    const rules = isPlain ? [] : currentRules()
    const joined = new Map<string, string>()
    for (const { pattern, headers } of rules) {
      if (!matches(pattern, path)) continue
      for (const [name, value] of headers) {
        const before = joined.get(name)
        joined.set(name, before === undefined ? value : `${before}, ${value}`)
      }
    }
    response.setHeaders(joined)
    response.end(readFileSync(found))
  })
  return {
    url,
    /** Makes the host drop all connections, or serve files again. */
    setDown(down: boolean) {
      isDown = down
    },
  }
}

export const readRules = (directory: string) => parseRules(rulesText(directory))

const rulesText = (directory: string) => readFileSync(join(directory, '_headers'), 'utf8')

function parseRules(text: string): readonly Rule[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const [pattern = '', ...lines] = block.split('\n')
      const headers = lines.map((line) => {
        const [, name = '', value = ''] = /^ {2}([\w-]+): (.+)$/.exec(line) ?? []
        return [name, value] as const
      })
      return { pattern, headers }
    })
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
