import { registerHooks } from 'node:module'
import { expect, test } from 'vitest'
import { startTestHosting } from '../support/hosting.ts'
import { waitFor } from '../support/wait-for.ts'

test('keeps serving feeds if the modules of the pages cannot be loaded', async () => {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === 'compression') throw new Error('a package is missing')
      return nextResolve(specifier, context)
    },
  })
  const publicUrl = 'http://department.example'
  const { clock, lines, ask } = await startTestHosting({ department: { publicUrl } })
  await clock.advance(60_000)
  await waitFor(() => expect(lines.join('')).toContain('the pages could not be loaded'))
  expect(await ask(`${publicUrl}/events.ics`)).toMatchObject({ status: 200 })
  expect(await ask(`${publicUrl}/`)).toMatchObject({ status: 500 })
})
