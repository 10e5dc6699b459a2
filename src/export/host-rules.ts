import { headerOf, type HeaderRule, type PublishedFile } from './header-rules.ts'

/*
 * The same rules in the words of hosts. Paths there begin at the host's root, which the public address may
 * be below: `prefix` is its path, empty or like `/feeds`.
 */

/** `_headers`, as Netlify and Cloudflare Pages read it. */
export function headersFile(rules: readonly HeaderRule[], prefix: string): string {
  const blocks = rules.map(({ path, isBelow, types, headers }) => {
    const [type] = types.size === 1 ? types.values() : []
    const lines = [...(type === undefined ? [] : [['Content-Type', type] as const]), ...headers]
    const text = lines.map(([name, value]) => `  ${name}: ${value}\n`).join('')
    return `${prefix}${path}${isBelow ? '*' : ''}\n${text}`
  })
  return `# Made by Feedhouse, and made anew with each export.\n\n${blocks.join('\n')}`
}

/** For scripts that upload to object storage: in this order nothing names what is not there yet. */
export function uploadList(files: readonly PublishedFile[]): string {
  const list = files.map(({ path, file, headers }) => ({
    file,
    key: path === '/' ? file : path.slice(1),
    contentType: headerOf(headers, 'Content-Type'),
    cacheControl: headerOf(headers, 'Cache-Control'),
  }))
  return `${JSON.stringify(list, null, 1)}\n`
}

/** Written for hosts and for Feedhouse itself, and of no use to anybody else. */
const hidden = ['/.feedhouse/', '/_headers', '/headers.json', '/nginx.conf']

/** For the inside of a `server` block whose `root` has the files. */
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
    // nginx would read what follows a dollar sign as the name of a variable.
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
