import { expect, test } from 'vitest'
import { follower, linesOf, linkWith, messageSite } from './message-site.ts'

const cert = { id: 30, status: 1, memberId: 5, member: 'Pat Vale', certId: 1, certName: 'CPR' }

const expiring = (id: number, expires: string) => ({ ...cert, id, memberId: id, expires })

test('reminds officers of certifications that expire in 90, 60 or 30 days', async () => {
  const certifications = [
    expiring(30, '2026-06-02'),
    expiring(31, '2026-05-12'),
    expiring(32, '2026-04-04'),
    expiring(33, '2026-07-01'),
  ]
  const readings = { 'training/membercerts': [certifications] }
  const feedIds = ['training', 'events']
  const shown = async (profile: 'full' | 'members', chosen = feedIds) => {
    const link = linkWith({ feedIds: chosen, profile })
    const { send } = await messageSite(readings, { link })
    return linesOf((await send({ ...follower, linkId: 'link' }, 'weekly'))?.html)
  }
  expect(await shown('full')).toEqual([
    'Expiring certifications',
    'April 4 Pat Vale: CPR expires',
    'June 2 Pat Vale: CPR expires',
    'Whole calendar',
  ])
  expect((await shown('members')).join()).not.toContain('Pat')
  expect(await shown('full', ['events'])).toEqual([])
})

test('reminds members of their own certifications', async () => {
  const own = { ...cert, expires: '2026-04-04' }
  const other = { ...cert, id: 31, memberId: 6, expires: '2026-04-04' }
  const readings = {
    training: [[own, other]],
    members: [[{ id: 5, firstName: 'Pat', lastName: 'Vale' }]],
  }
  const link = linkWith({ feedIds: ['events'], memberId: 5 })
  const { send } = await messageSite(readings, { link })
  const message = await send({ ...follower, linkId: 'link' }, 'weekly')
  expect(linesOf(message?.html)).toEqual([
    'Expiring certifications',
    'April 4 CPR expires',
    'Whole calendar',
  ])
})

test('reminds a member of a certification that expires the next day', async () => {
  const certification = { id: 9, status: 1, memberId: 5, certName: 'CPR', expires: '2026-03-06' }
  const { send } = await messageSite(
    {
      members: [[{ id: 5, firstName: 'Pat', lastName: 'Doe', memberStatus: 'Active' }]],
      training: [[certification]],
    },
    { link: linkWith({ memberId: 5 }) },
  )
  const message = await send({ ...follower, linkId: 'link' }, 'tomorrow')
  expect(linesOf(message?.html)).toContain('All day You: CPR expires')
  expect(message?.mail).toContain('border-left:4px solid #008b8b')
})
