import { expect, test } from 'vitest'
import { createRetirableFront } from '../../src/app/retirable-front.ts'
import type { Front } from '../../src/http/front/publishing.ts'

function recordingFront() {
  const calls: string[] = []
  const front: Front = {
    publish: (key) => void calls.push(`publish ${key}`),
    retire: (key) => void calls.push(`retire ${key}`),
    retireSite: (site) => void calls.push(`retire site ${site}`),
    setLinks: (site) => void calls.push(`links of ${site}`),
    remember: () => void calls.push('remember'),
    announce: (_host, path) => void calls.push(`announce ${path}`),
    onUse: () => undefined,
    done: async () => undefined,
  }
  return { calls, front }
}

test('keeps what the next site publishes until the one before has been retired', () => {
  const { calls, front } = recordingFront()
  const [before, next] = [front, front].map((each) => createRetirableFront(each, 'ashton'))
  before?.activate()
  before?.retire('a')
  next?.setLinks('ashton', new Map())
  next?.retire('b')
  before?.retireAll()
  next?.activate()
  next?.retire('c')
  before?.retire('d')
  expect(calls).toEqual([
    'retire a',
    'retire site ashton',
    'links of ashton',
    'retire b',
    'retire c',
  ])
})

test('publishes nothing if it is retired before it is activated', () => {
  const { calls, front } = recordingFront()
  const site = createRetirableFront(front, 'ashton')
  site.retire('a')
  site.retireAll()
  site.activate()
  expect(calls).toEqual([])
})
