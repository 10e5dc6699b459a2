import { expect, test } from 'vitest'
import { eventPicture } from '../../src/pictures/event-picture.ts'
import { requireImage } from '../../src/pictures/image-library.ts'
import { maxWaiting } from '../../src/pictures/drawing-queue.ts'

const fry = {
  width: 600,
  height: 315,
  title: 'Fish & chips',
  when: 'Friday, March 6, 5 PM',
  where: 'Social Hall',
  name: 'Cedar Hollow',
  color: '#1f5fbf',
  onColor: '#ffffff',
  icon: undefined,
  code: '',
}

test('draws the same event only once', async () => {
  const file = await eventPicture(fry)
  expect(await eventPicture({ ...fry })).toBe(file)
  expect(await eventPicture({ ...fry, title: 'Breakfast' })).not.toEqual(file)
})

test('rejects a picture while too many are waiting, and draws it later', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: maxWaiting + 2 }, () =>
    requireImage(() => promise).catch(() => undefined),
  )
  const drill = { ...fry, title: 'Drill' }
  await expect(eventPicture(drill)).rejects.toMatchObject({ kind: 'busy' })
  resolve()
  await Promise.all(waiting)
  expect((await eventPicture(drill)).length).toBeGreaterThan(0)
})
