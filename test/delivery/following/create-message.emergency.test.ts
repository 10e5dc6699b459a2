import { expect, test } from 'vitest'
import {
  dinner,
  emergencyOn,
  fire,
  flood,
  follower,
  linesOf,
  linkWith,
  messageSite,
  morning,
} from './message-site.ts'

const hourMs = 3_600_000

test.for([
  ['paused', linkWith({ pausedAt: morning })],
  ['revoked', linkWith({ revokedAt: morning })],
  ['expired', linkWith({ expiresAt: morning - 1 })],
  ['unknown', linkWith({ id: 'other' })],
] as const)('tells the followers of a link nothing while it is %s', async ([, link]) => {
  const current = { ...flood, until: morning + hourMs }
  const { send } = await messageSite(
    { events: [[dinner]], news: [[fire]] },
    { link, emergency: emergencyOn('devices', current), now: morning + 10 * hourMs },
  )
  for (const kind of ['weekly', 'tomorrow', 'changes', 'emergency'] as const) {
    expect(await send({ ...follower, linkId: 'link' }, kind, morning)).toBeUndefined()
  }
})

test('regular messages start with an emergency text that is shown on pages', async () => {
  const readings = { events: [[dinner]], news: [[fire]] }
  const current = { ...flood, text: 'Leave <now>.' }
  for (const kind of ['weekly', 'tomorrow'] as const) {
    const { send } = await messageSite(readings, { emergency: emergencyOn('pages', current) })
    const message = await send(follower, kind, morning + 10 * hourMs)
    expect(linesOf(message?.html).slice(0, 3)).toEqual([
      'Flood',
      'Leave &lt;now&gt;.',
      'Until March 5, 6:00 PM',
    ])
    const { send: without } = await messageSite(readings, {
      emergency: emergencyOn('devices', current),
    })
    const usual = await without(follower, kind, morning + 10 * hourMs)
    expect(message?.html.endsWith(usual?.html ?? 'none')).toBe(true)
    expect(message?.mail).toMatch(/^<table[^>]*><tr><td bgcolor="#a3140b"[^>]*><h2>Flood<\/h2>/)
    expect(message?.mail?.endsWith(usual?.mail ?? 'none')).toBe(true)
  }
})

test('sends an emergency until it has ended or changed', async () => {
  const current = { ...flood, text: 'Leave <now>.\n\nShelter: school' }
  const { send } = await messageSite({}, { emergency: emergencyOn('devices', current) })
  const message = await send(follower, 'emergency')
  expect(message).toMatchObject({ title: 'Flood', summary: 'Leave <now>. Shelter: school' })
  expect(linesOf(message?.html)).toEqual([
    'Leave &lt;now&gt;.',
    'Shelter: school',
    'Until March 5, 6:00 PM',
  ])
  expect(await send(follower, 'emergency', morning - 1)).toBeUndefined()
})
