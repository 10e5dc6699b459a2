import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { expectGolden } from '../support/golden.ts'

const root = resolve(import.meta.dirname, '../..')

/** A constant or property whose value consists of numbers, units and other constants. */
const namedNumber =
  /^\s*(?:export )?(?:const )?(?<name>[a-z]\w*)(?: =|:) (?<value>-?[\d_.]+(?: [*/+-] [\w.]+)*),?$/gm

const files = globSync('src/**/*.{ts,js}', { cwd: root }).toSorted()

/* A changed limit is a change for users. `UPDATE_GOLDEN=1` accepts it. */

test('limits, periods and defaults change only on purpose', () => {
  const limits = files
    .filter((file) => !file.startsWith('src/sandbox/'))
    .flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(namedNumber)].map(
        ({ groups: { name = '', value = '' } = {} }) => `${file} ${name} = ${value}\n`,
      ),
    )
  expect(limits.length).toBeGreaterThan(300)
  expectGolden('limits.txt', limits.join(''))
})

/** Health checks never wait, and only one person sets up a service. */
const withoutTurns = ['src/features/monitoring/server-pages.ts', 'src/hosting/setup-page.ts']

test('in all applications with pages, networks take turns', () => {
  const applications = files.filter(
    (file) =>
      /^src\/(?!sandbox\/)/.test(file) &&
      readFileSync(resolve(root, file), 'utf8').includes(' = express()'),
  )
  const taking = applications.filter((file) =>
    /\.use\((?:logRequest, )?inTurn\b/.test(readFileSync(resolve(root, file), 'utf8')),
  )
  expect(taking).toContain('src/hosting/sites-page.ts')
  expect([...taking, ...withoutTurns].toSorted()).toEqual(applications)
})
