import { expect, test } from 'vitest'
import { makeImage } from '../../src/pictures/image-library.ts'

test('makes one image at a time, and rejects further ones while 200 are waiting', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const first = makeImage(async () => {
    start()
    await finished
  })
  await started
  let made = 0
  const waiting = Array.from({ length: 200 }, () => makeImage(async () => (made += 1)))
  expect(await makeImage(async () => 'an image')).toBeUndefined()
  expect(made).toBe(0)
  finish()
  await Promise.all([first, ...waiting])
  expect(made).toBe(200)
  expect(await makeImage(async () => 'an image')).toBe('an image')
})
