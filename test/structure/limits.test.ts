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
