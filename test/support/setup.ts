import { resolve } from 'node:path'

// Lets child processes reuse code that is already stripped and compiled. The processes that run tests do
// not, because vitest gives each test file a new URL, so their cache would grow with every run.
process.env['NODE_COMPILE_CACHE'] = resolve('node_modules/.cache/compile')
