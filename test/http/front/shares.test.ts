import { expect, test } from 'vitest'
import { createShares } from '../../../src/http/front/shares.ts'

/** Shares eight places, and notes who gets one. */
function sharesOf() {
  const shares = createShares(8)
  const inside: string[] = []
  const leaves = new Map<string, (() => void)[]>()
  const enter = (client: string) =>
    shares.enter(client, (leave) => {
      inside.push(client)
      leaves.set(client, [...(leaves.get(client) ?? []), leave])
    })
  const leave = (client: string) => {
    inside.splice(inside.indexOf(client), 1)
    leaves.get(client)?.shift()?.()
  }
  return { inside, enter, leave }
}

test('gives a client at most half of the places, and less the more clients there are', () => {
  const { inside, enter } = sharesOf()
  for (const client of ['a', 'b', 'c', 'd']) for (let each = 0; each < 20; each += 1) enter(client)
  const counts = ['a', 'b', 'c', 'd'].map((client) => inside.filter((each) => each === client))
  expect(counts.map(({ length }) => length)).toEqual([4, 2, 1, 1])
})

test('gives a place to the first client in line that may have one', () => {
  const { inside, enter, leave } = sharesOf()
  for (let each = 0; each < 6; each += 1) enter('a')
  for (const client of ['b', 'c', 'd', 'e', 'f']) enter(client)
  expect(inside.join('')).toBe('aaaabcde')
  leave('b')
  // The first in line are further ones of the client with four places.
  expect(inside.join('')).toBe('aaaacdef')
  for (let each = 0; each < 4; each += 1) leave('a')
  expect(inside.join('')).toBe('cdefaa')
})

test('does not give a place to a client that has stopped waiting', () => {
  const { inside, enter, leave } = sharesOf()
  for (let each = 0; each < 4; each += 1) enter('a')
  const stopWaiting = enter('a')
  enter('a')
  stopWaiting()
  for (let each = 0; each < 4; each += 1) leave('a')
  expect(inside.join('')).toBe('a')
})
