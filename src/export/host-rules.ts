import { headerOf, type HeaderRule, type PublishedFile } from './header-rules.ts'

/*
 * Header rules in the formats of hosts. Paths start at the host's root, while the public URL may be below
 * it: `prefix` is its path, empty or like `/feeds`.
 */

/** Renders `_headers` for Netlify and Cloudflare Pages. */
export function headersFile(rules: readonly HeaderRule[], prefix: string): string {
  const blocks = rules.map(({ path, isBelow, types, headers }) => {
    const [type] = types.size === 1 ? types.values() : []
    const lines = [...(type === undefined ? [] : [['Content-Type', type] as const]), ...headers]
    const text = lines.map(([name, value]) => `  ${name}: ${value}\n`).join('')
    return `${prefix}${path}${isBelow ? '*' : ''}\n${text}`
  })
  return `# Made by Feedhouse, and made anew with each export.\n\n${blocks.join('\n')}`
}

/** List for upload scripts; in this order no file refers to one that is not uploaded yet. */
export function uploadList(files: readonly PublishedFile[]): string {
  const list = files.map(({ path, file, headers }) => ({
    file,
    key: path === '/' ? file : path.slice(1),
    contentType: headerOf(headers, 'Content-Type'),
    cacheControl: headerOf(headers, 'Cache-Control'),
  }))
  return `${JSON.stringify(list, null, 1)}\n`
}

/** Files for hosts and for Feedhouse itself, not for the public. */
const hidden = ['/.feedhouse/', '/_headers', '/headers.json', '/nginx.conf']

/** Rules for the inside of a `server` block whose `root` has the files. */
export function nginxRules(
  rules: readonly HeaderRule[],
  { prefix, isPrecompressed }: { readonly prefix: string; readonly isPrecompressed: boolean },
): string {
  const compression = isPrecompressed
    ? '\ngzip_static on;\ngzip_vary on;\n# With the module ngx_brotli:\n# brotli_static on;\n'
    : ''
  const locations = [
    ...hidden.map((path) => `location ^~ ${prefix}${path} {\n    return 404;\n}\n`),
    ...rules.map((rule) => nginxLocation(rule, prefix)),
    `location ${prefix}/ {\n    try_files $uri $uri.html =404;\n}\n`,
  ]
  return `# Made by Feedhouse, and made anew with each export: reload nginx when it is another.
${compression}
error_page 404 ${prefix}/404.html;

${locations.join('\n')}`
}

function nginxLocation(rule: HeaderRule, prefix: string): string {
  const { path, isBelow, file, types, headers } = rule
  const [onlyType] = types.size === 1 ? types.values() : []
  const typed = [...types].filter(([ending]) => ending !== '')
  const lines = [
    ...(onlyType === undefined
      ? [
          `types { ${typed.map(([ending, type]) => `${quoted(type)} ${ending.slice(1)};`).join(' ')} }`,
        ]
      : ['types { }', `default_type ${quoted(onlyType)};`]),
    isBelow ? 'try_files $uri.html $uri =404;' : `try_files ${prefix}/${file} =404;`,
    // nginx would read text after a dollar sign as a variable name.
    ...headers
      .filter(([, value]) => !value.includes('$'))
      .map(([name, value]) => `add_header ${name} ${quoted(value)};`),
  ]
  const match = isBelow ? '^~' : '='
  return `location ${match} ${prefix}${path} {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
