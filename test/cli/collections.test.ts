import { expect, test } from 'vitest'
import { resultOf, run } from '../support/command-line.ts'
import { testDirectory } from '../support/service.ts'

test.for([
  { args: ['accept', 'everything'], says: /^NAME must be one of: announce/ },
  { args: ['hold', 'everything'], says: /^NAME must be one of: announce/ },
  { args: ['accept'], says: /^NAME must be one of/ },
  { args: ['publish', 'events'], says: /^Usage: collections accept\|hold NAME/ },
])('the command `collections $args` fails with a message', async ({ args, says }) => {
  const { code, stderr } = await resultOf(run(testDirectory(), ['collections', ...args]))
  expect(code).toBe(1)
  expect(stderr).toMatch(says)
})
