/*
 * Runs the named benchmark and passes it the remaining arguments.
 *
 *   npm run bench -- http --cycles 2
 */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  accounts: () => import('./accounts.ts'),
  board: () => import('./board.ts'),
  calendar: () => import('./calendar.ts'),
  export: () => import('./export.ts'),
  hit: () => import('./hit.ts'),
  hosts: () => import('./hosts.ts'),
  http: () => import('./http.ts'),
  links: () => import('./links.ts'),
  misses: () => import('./misses.ts'),
  pages: () => import('./pages.ts'),
  picture: () => import('./picture.ts'),
  refresh: () => import('./refresh.ts'),
  sandbox: () => import('./sandbox.ts'),
  search: () => import('./search.ts'),
  sites: () => import('./sites.ts'),
  start: () => import('./start.ts'),
  steady: () => import('./steady.ts'),
  syndication: () => import('./syndication.ts'),
  text: () => import('./text.ts'),
}

const [name = ''] = process.argv.splice(2, 1)
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench) await bench()
else {
  const names = Object.keys(benches).map((each) => `  npm run bench -- ${each}\n`)
  process.stderr.write(`${name === '' ? '' : `Unknown benchmark: ${name}. `}Benchmarks:\n`)
  process.stderr.write(names.join(''))
  process.exitCode = 1
}
